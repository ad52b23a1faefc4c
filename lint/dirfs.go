package lint

import (
	"fmt"
	"io/fs"
	"os"
)

// DirFS returns the tree of a local folder. It is an [os.Root]: no name and no
// link leads out of the folder.
func DirFS(dir string) (fs.FS, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	return dirFS{root.FS().(rootFS), root}, nil
}

// rootFS is what os.Root.FS implements.
type rootFS interface {
	fs.ReadLinkFS
	fs.ReadFileFS
	fs.StatFS
}

// dirFS is an os.Root that lists folders faster, see ReadDir.
type dirFS struct {
	rootFS
	root *os.Root
}
