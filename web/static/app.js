// What a page gains with a script; each of it also works without one. No page
// holds a script of its own: elements say in data attributes what they want.
'use strict';
(() => {
  // Moments in the reader's zone, with UTC in the tooltip.
  const zoned = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
  });
  const localise = (root) => {
    for (const t of root.querySelectorAll('time[datetime*="T"]')) {
      const at = new Date(t.dateTime);
      if (Number.isNaN(at.getTime()) || t.title) continue;
      t.title = t.textContent;
      t.textContent = zoned.format(at).replace('Sept ', 'Sep '); // as the server writes it
    }
  };

  // part fetches a page and puts its element of the same id in the old one's
  // place. What is open stays open, and what has the focus keeps it.
  const part = async (old, url, signal) => {
    const answer = await fetch(url, {credentials: 'same-origin', redirect: 'error', signal});
    if (!answer.ok && answer.status !== 422) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById(old.id);
    if (!fresh && 'whole' in old.dataset) location.reload(); // what it waited for is there
    if (!fresh) throw new Error('the answer has no #' + old.id);
    const now = document.adoptNode(fresh);
    const open = new Set([...old.querySelectorAll('details[open][id]')].map((d) => d.id));
    for (const d of now.querySelectorAll('details[id]')) d.open = d.open || open.has(d.id);
    localise(now);
    old.replaceWith(now);
    return now;
  };

  // An element with data-poll is asked for again until it has none.
  const poll = (element) => {
    let wait = 2000;
    const again = async () => {
      const old = document.getElementById(element.id);
      if (!old || !old.dataset.poll) return;
      if (!document.hidden) {
        try {
          const now = await part(old, old.dataset.poll);
          wait = 2000;
          if (!now.dataset.poll) return;
        } catch {
          old.dataset.lost = 'true';
          wait = Math.min(wait * 2, 60000);
        }
      }
      setTimeout(again, wait);
    };
    setTimeout(again, wait);
  };

  // A form with data-preview shows what it would give while it is filled in.
  // The address follows, so that a reload or a link keeps what was typed.
  const preview = (form) => {
    let timer, running;
    const show = async () => {
      running?.abort();
      running = new AbortController();
      const fields = new FormData(form);
      for (const name of ['hash', 'token']) fields.delete(name);
      const url = form.dataset.preview + '?' + new URLSearchParams([...fields].filter(([, v]) => v !== ''));
      const old = document.getElementById('preview');
      old.setAttribute('aria-busy', 'true');
      try {
        await part(old, url, running.signal);
        history.replaceState(null, '', url);
      } catch (e) {
        if (e.name === 'AbortError') return;
        old.removeAttribute('aria-busy');
        old.dataset.lost = 'true'; // what stands there is of what was typed before
      }
    };
    form.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(show, 400);
    });
  };

  localise(document);
  for (const e of document.querySelectorAll('[data-poll][id]')) poll(e);
  for (const f of document.querySelectorAll('form[data-preview]')) preview(f);
})();
