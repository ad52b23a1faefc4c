package jobs

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Where Linux says which boot of which machine this is, and which space of
// process ids: together they tell whether two processes can look for each
// other by number.
const (
	bootFile  = "/proc/sys/kernel/random/boot_id"
	spaceFile = "/proc/self/ns/pid"
)

func processID() int { return os.Getpid() }

// machine names this machine and space of process ids, or is "?" where that
// cannot be known.
func machine() string {
	boot, err := os.ReadFile(bootFile)
	if err != nil {
		return "?"
	}
	space, err := os.Readlink(spaceFile)
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(boot)) + "." + strings.Trim(space, "pid:[]")
}

// certainlyDead reports whether the process behind a worker's name is known to
// have ended: it ran here, and there is none by that number, or it is this
// one's and its name is another's.
func (q *Queue) certainlyDead(worker string) bool {
	parts := strings.Split(worker, "/")
	if len(parts) != 3 || parts[0] != q.machine || q.machine == "?" {
		return false
	}
	id, err := strconv.Atoi(parts[1])
	if err != nil || id <= 0 || id == processID() {
		return false
	}
	p, err := os.FindProcess(id)
	if err != nil {
		return false
	}
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
