/**
 * The one inline script, before the first paint: the theme the visitor chose, whether consent has been asked, whether somebody comes
 * back to the page, and keeping what is pressed before the part of the page it stands in is alive, which is repeated then
 * (`browser/first-touch.ts`). Its hash stands in the Content-Security-Policy.
 */
export const BOOT_SCRIPT = [
  '(function(d,w){',
  'var e=d.documentElement,c=d.cookie,m=/(?:^|; )(?:__Host-)?theme=(light|dark)/.exec(c);',
  'if(m)e.dataset.theme=m[1];',
  "e.dataset.js='';",
  // Who comes back is led to where they were: a page whose parts further down are drawn later has another height until then (`ui/base.css`).
  "var n=performance.getEntriesByType('navigation')[0];if(n&&n.type!=='navigate')e.dataset.whole='';",
  "if(!/(?:^|; )(?:__Host-)?consent=/.test(c))e.dataset.consent='ask';",
  // Answers to the consent banner are kept at once; who pressed goes on from the head of the page, which comes after it.
  "d.addEventListener('submit',function(v){if(v.target.dataset.consentForm===undefined)return;v.preventDefault();var s=location.protocol==='https:';d.cookie=(s?'__Host-':'')+'consent='+v.submitter.value+'; path=/; max-age=31536000; samesite=lax'+(s?'; secure':'');delete e.dataset.consent;var h=d.querySelector('header a');h&&h.focus({preventScroll:true});d.dispatchEvent(new Event('consent'))});",
  // A press on what needs the application is held until its island is alive, or something hears of it that can do without (`product/early.ts`).
  'w.held=[];',
  "d.addEventListener('click',function(v){var b=v.target.closest&&v.target.closest('[data-replay]'),i=b&&b.closest('[data-island]');if(i&&i.dataset.alive===undefined){v.preventDefault();v.stopImmediatePropagation();w.held.push(b);b.dataset.held='';d.dispatchEvent(new Event('held'))}},true);",
  // The page is the same for everybody; for whom it is known that they are signed in, the door leads to what is theirs.
  "if(/(?:^|; )(?:__Host-)?signed_in=/.test(c))d.addEventListener('click',function(v){var b=v.target.closest&&v.target.closest('[data-account]');if(b){v.preventDefault();v.stopPropagation();location.assign(b.pathname.replace(/login$/,'user'))}},true);",
  '})(document,window)',
].join('')
