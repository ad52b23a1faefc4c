package github

import (
	"container/list"
	"net/http"
	"sync"
)

const (
	cacheBytes   = 32 << 20 // all kept answers
	cacheAnswers = 2000
	cacheAnswer  = 2 << 20 // one of them; larger ones are not kept
)

// cache keeps answers with their ETags, the least recently used leaving first.
// An answer that has not changed costs nothing of the hourly limit.
type cache struct {
	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List // of *kept, the latest first
	bytes int
}

// kept is one answer that may be asked for again.
type kept struct {
	key    string
	etag   string
	answer answer
}

func newCache() *cache { return &cache{byKey: map[string]*list.Element{}, order: list.New()} }

// cacheKey names what was asked for; empty where it cannot be kept.
func cacheKey(r *http.Request) string {
	if r.Method != http.MethodGet {
		return ""
	}
	return r.Header.Get("Accept") + " " + r.URL.String()
}

// condition adds If-None-Match to a request that was answered before, and
// returns that answer.
func (c *cache) condition(r *http.Request) *kept {
	key := cacheKey(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	element := c.byKey[key]
	if element == nil {
		return nil
	}
	c.order.MoveToFront(element)
	k := element.Value.(*kept)
	r.Header.Set("If-None-Match", k.etag)
	return k
}

// again is the kept answer as if it had come now.
func (k *kept) again(now *answer) *answer {
	header := k.answer.header.Clone()
	for name, values := range now.header {
		if name != "Content-Type" && name != "Content-Length" && name != "Link" {
			header[name] = values
		}
	}
	return &answer{status: k.answer.status, header: header, body: k.answer.body, at: now.at}
}

// keep remembers a whole answer that has an ETag.
func (c *cache) keep(r *http.Request, a *answer) {
	key, etag := cacheKey(r), a.header.Get("ETag")
	if key == "" || etag == "" || a.status != http.StatusOK || len(a.body) > cacheAnswer || a.broken() != "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if element := c.byKey[key]; element != nil {
		c.drop(element)
	}
	c.byKey[key] = c.order.PushFront(&kept{key: key, etag: etag, answer: *a})
	c.bytes += len(a.body)
	for c.bytes > cacheBytes || c.order.Len() > cacheAnswers {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(element *list.Element) {
	k := c.order.Remove(element).(*kept)
	delete(c.byKey, k.key)
	c.bytes -= len(k.answer.body)
}
