package web

// focusFaults says what a keyboard cannot reach or does not show that it has
// reached: the first stop is the link past the navigation, stops come in the
// order of the page, each shows that it has the focus and has a size, and
// nothing moves where the reader wants no motion.
const focusFaults = `(()=>{
	const out=[], before=document.activeElement;
	const open=[...document.querySelectorAll('details')].map(d=>[d,d.open]);
	open.forEach(([d])=>d.open=true);
	const stops=[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')].filter(e=>e.tabIndex>=0 && !e.disabled);
	if (!stops[0] || !stops[0].matches('.skip')) out.push('the first stop is no link past the navigation');
	if (!document.querySelector(stops[0]?.getAttribute('href') ?? '#none')) out.push('the link past the navigation leads nowhere');
	for (const e of stops) {
		const what=e.outerHTML.slice(0,120);
		if (e.tabIndex>0) out.push('out of order: '+what);
		e.focus({focusVisible: true, preventScroll: true});
		const s=getComputedStyle(e), r=e.getBoundingClientRect();
		if (document.activeElement!==e) { if (r.width>0) out.push('takes no focus: '+what); continue; }
		if (s.outlineStyle==='none' || parseFloat(s.outlineWidth)<1) out.push('does not show its focus: '+what);
		if (r.width<8 || r.height<8) out.push('has no size: '+what);
		if (e.matches('.skip') && (r.left<0 || r.top<0)) out.push('stays out of sight: '+what);
	}
	(before && before!==document.body ? before.focus() : document.activeElement?.blur());
	open.forEach(([d,o])=>d.open=o);
	if (document.getAnimations().length>0) out.push('something moves');
	return out.slice(0,8).join('\n');
})()`
