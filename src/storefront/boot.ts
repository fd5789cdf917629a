/**
 * The one inline script, before the first paint: the theme the visitor chose, whether consent has been asked, and when to
 * load the application. It comes alive at the first interaction, or when the page has been idle for 5 s (6 s under 640 px;
 * specification §9), and at once on a page that can show nothing without it. Its hash stands in the Content-Security-Policy.
 */
export const BOOT_SCRIPT = [
  '(function(d,w){',
  'var e=d.documentElement,c=d.cookie,m=/(?:^|; )(?:__Host-)?theme=(light|dark)/.exec(c),done=0;',
  'if(m)e.dataset.theme=m[1];',
  "e.dataset.js='';",
  "if(!/(?:^|; )(?:__Host-)?consent=/.test(c))e.dataset.consent='ask';",
  "var k=['pointerdown','keydown','touchstart','focusin','pointerover','scroll'];",
  // Answers to the consent banner are kept at once.
  "d.addEventListener('submit',function(v){if(v.target.dataset.consentForm===undefined)return;v.preventDefault();var s=location.protocol==='https:';d.cookie=(s?'__Host-':'')+'consent='+v.submitter.value+'; path=/; max-age=31536000; samesite=lax'+(s?'; secure':'');delete e.dataset.consent;d.dispatchEvent(new Event('consent'))});",
  // A press on what only the application can do is repeated once it is alive.
  "d.addEventListener('click',function(v){var b=v.target.closest&&v.target.closest('[data-replay]');if(b&&e.dataset.alive===undefined){v.preventDefault();w.replay=b}},true);",
  // The page is the same for everybody; for whom it is known that they are signed in, the door leads to what is theirs.
  "if(/(?:^|; )(?:__Host-)?signed_in=/.test(c))d.addEventListener('click',function(v){var b=v.target.closest&&v.target.closest('[data-account]');if(b){v.preventDefault();v.stopPropagation();location.assign(b.pathname.replace(/login$/,'user'))}},true);",
  'function go(){if(done)return;done=1;k.forEach(function(n){w.removeEventListener(n,go,true)});',
  "function load(){import(JSON.parse(d.getElementById('page-entry').textContent))}",
  "d.readyState==='loading'?d.addEventListener('DOMContentLoaded',load):load()}",
  'k.forEach(function(n){w.addEventListener(n,go,{capture:true,passive:true})});',
  // A page that shows nothing without the application does not wait.
  "d.addEventListener('DOMContentLoaded',function(){if(d.querySelector('[data-now]'))go()});",
  "w.addEventListener('load',function(){setTimeout(go,w.innerWidth<640?6000:5000)});",
  '})(document,window)',
].join('')
