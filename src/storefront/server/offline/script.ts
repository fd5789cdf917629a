/**
 * What the offline page does by itself: it takes the colours that the visitor chose, and asks whether the shop is there again: at once
 * when the browser says that it is online or the page is looked at again, and less and less often by itself, as a browser may hold a net
 * without a way out for one. Its address is that of the page that could not be fetched: to go on is to load it again.
 */
export const OFFLINE_SCRIPT = [
  '(function(d){',
  'var m=/(?:^|; )(?:__Host-)?theme=(light|dark)/.exec(d.cookie);',
  'if(m)d.documentElement.dataset.theme=m[1];',
  "var b=d.querySelector('button'),s=d.querySelector('[role=status]'),wait=4000,timer,isAsking=false;",
  'function ask(isPressed){',
  'if(isAsking)return;',
  'isAsking=true;clearTimeout(timer);',
  "if(isPressed){s.textContent='';b.setAttribute('aria-busy','true')}",
  "fetch('/healthz',{cache:'no-store'}).then(function(r){if(!r.ok)throw r;location.reload()}).catch(function(){",
  "isAsking=false;b.removeAttribute('aria-busy');",
  'if(isPressed)s.textContent=b.dataset.still;',
  'wait=Math.min(wait*1.5,60000);timer=setTimeout(ask,wait)',
  '})}',
  "b.addEventListener('click',function(){ask(true)});",
  "addEventListener('online',function(){ask()});",
  "d.addEventListener('visibilitychange',function(){if(!d.hidden)ask()});",
  'timer=setTimeout(ask,wait)',
  '})(document)',
].join('')
