package metrics

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"runtime"
	"sync"
	"time"
)

// readPulls reads pull requests once and books each to its team and periods:
// durations and size to the period it was opened in, merges and reverts to the
// merge's, what is counted over closed ones to the closing's. last is what the
// store knows of the end of its data; it matters because what is still open is
// only known to have lasted that long.
//
// Teams are shared out among as many readers as there are processors: what is
// booked to a team is booked by one of them.
func readPulls(p Pilot, rows iter.Seq2[PullRequest, error], last time.Time) (*pullData, error) {
	seed := maphash.MakeSeed()
	readers := make([]*pullReader, max(1, min(runtime.GOMAXPROCS(0), maxReaders)))
	for i := range readers {
		d, err := newPullData(p, last)
		if err != nil {
			return nil, err // of the definition, and so before any reader began
		}
		d.seed = seed
		readers[i] = newPullReader(d, Window{From: p.Before.From, To: p.After.To})
	}
	err := shareOut(readers, seed, rows)
	for _, r := range readers {
		err = cmp.Or(err, r.finish())
	}
	if err != nil {
		return nil, fmt.Errorf("read pull requests of %q: %w", p.ID, err)
	}
	d := readers[0].pullData
	settleDeployments(readers)
	for _, r := range readers {
		d.end = later(d.end, r.end)
	}
	var wg sync.WaitGroup
	for _, r := range readers {
		r.end = d.end
		wg.Go(r.settle)
	}
	wg.Wait()
	for _, r := range readers {
		err = cmp.Or(err, r.failed)
	}
	if err != nil {
		return nil, fmt.Errorf("measure pull requests of %q: %w", p.ID, err)
	}
	for _, r := range readers[1:] {
		d.take(r.pullData)
	}
	return d, nil
}

// maxReaders bounds the readers of one report.
const maxReaders = 4

// pullBatch is how many pull requests a reader takes at once.
const pullBatch = 256

// pullReader books the pull requests of some teams.
type pullReader struct {
	*pullData
	span   Window
	batch  []PullRequest
	queue  chan []PullRequest
	free   chan []PullRequest
	done   chan struct{}
	failed error
}

func newPullReader(d *pullData, span Window) *pullReader {
	r := &pullReader{pullData: d, span: span, queue: make(chan []PullRequest, 4), free: make(chan []PullRequest, 8), done: make(chan struct{})}
	go func() {
		defer close(r.done)
		for batch := range r.queue {
			r.takeIn(batch)
			select {
			case r.free <- batch[:0]:
			default:
			}
		}
	}()
	return r
}

// takeIn books a batch. A panic is an error of the report, not the end of the
// process.
func (r *pullReader) takeIn(batch []PullRequest) {
	defer r.guard()
	for i := range batch {
		if r.failed == nil {
			r.see(&batch[i], r.span)
		}
	}
}

func (r *pullReader) guard() {
	if x := recover(); x != nil {
		r.failed = &panicked{x}
	}
}

// settle is [pullData.close] with a panic as an error.
func (r *pullReader) settle() {
	defer r.guard()
	r.close()
}

func (r *pullReader) add(p *PullRequest) {
	if r.batch == nil {
		select {
		case r.batch = <-r.free:
		default:
			r.batch = make([]PullRequest, 0, pullBatch)
		}
	}
	if r.batch = append(r.batch, *p); len(r.batch) == pullBatch {
		r.queue <- r.batch
		r.batch = nil
	}
}

// finish waits until all is booked.
func (r *pullReader) finish() error {
	r.queue <- r.batch
	close(r.queue)
	<-r.done
	return r.failed
}

// shareOut gives each reader the pull requests of its teams.
func shareOut(readers []*pullReader, seed maphash.Seed, rows iter.Seq2[PullRequest, error]) error {
	owners := map[string]*pullReader{}
	for p, err := range rows {
		if err != nil {
			return err
		}
		r := owners[p.Team]
		if r == nil {
			r = readers[maphash.String(seed, p.Team)%uint64(len(readers))]
			owners[p.Team] = r
		}
		r.add(&p)
	}
	return nil
}

// settleDeployments tells every reader the newest deployment that any of them
// knows of each repository.
func settleDeployments(readers []*pullReader) {
	newest := map[string]int64{}
	for _, r := range readers {
		for name, i := range r.repositories {
			newest[name] = max(newest[name], r.deployments[i])
		}
	}
	for _, r := range readers {
		for name, i := range r.repositories {
			r.deployments[i] = newest[name]
		}
	}
}

// take adds what another reader read, of other teams.
func (d *pullData) take(other *pullData) {
	maps.Copy(d.teams, other.teams)
	d.bots += other.bots
	d.teamBots += other.teamBots
	d.unplaced += other.unplaced
	for why, n := range other.apart {
		d.apart[why] += n
	}
	d.some |= other.some
	d.all &= other.all
}
