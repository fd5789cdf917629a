import { createHash } from 'node:crypto'
import type { CodeSample } from './openapi/code-samples.ts'
import type { Method, OpenApiDocument, Operation, Parameter, Schema } from './openapi/document.ts'
import { PUBLISHED_CALLS } from './openapi.ts'

const STYLE = `:root{color-scheme:light dark;--ink:#1b1a17;--soft:#5c5850;--line:#d9d4c8;--ground:#fdfcf9;--plate:#f4f1e9;--accent:#7a5b00}
@media (prefers-color-scheme:dark){:root{--ink:#f2efe7;--soft:#b5afa2;--line:#3d3a33;--ground:#161512;--plate:#211f1b;--accent:#ffd21f}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
.page{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem;max-width:76rem;margin:auto;padding:1.5rem}
@media (min-width:60rem){.page{grid-template-columns:15rem minmax(0,1fr)}nav{position:sticky;top:1.5rem;align-self:start;max-height:calc(100vh - 3rem);overflow:auto}}
main{min-width:0}h1,h2,h3,h4{overflow-wrap:anywhere}h1{font-size:2rem;line-height:1.2;margin:0 0 1rem}h2{font-size:1.4rem;margin:2.5rem 0 .5rem}h3{font-size:1.1rem;margin:2rem 0 .5rem}h4{font-size:1rem;margin:1.25rem 0 .5rem}
h3 code{font-size:1.05rem}p{max-width:68ch;margin:.5rem 0}a{color:var(--accent)}nav ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:.3rem 0;overflow-wrap:anywhere}
nav strong{display:block;margin-top:1rem}code,pre{font-family:ui-monospace,monospace;font-size:.875rem}
.call{border-top:1px solid var(--line);padding-top:.5rem}.path{overflow-wrap:anywhere}
pre{background:var(--plate);border:1px solid var(--line);border-radius:.5rem;padding:1rem;overflow:auto;max-height:28rem;margin:.5rem 0}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:.5rem 0}th,td{text-align:start;vertical-align:top;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600}td:first-child{white-space:nowrap}.soft{color:var(--soft)}
.skip{position:absolute;inset-inline-start:-999rem}.skip:focus{inset-inline-start:1rem;top:1rem;background:var(--plate);padding:.5rem}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`

export interface DocsPage {
  readonly html: string
  /** Content-Security-Policy of the page: its own style by hash, nothing else. */
  readonly policy: string
}

/** The published contract for people: one page, no script, nothing from elsewhere. */
export function docsPage(document: OpenApiDocument): DocsPage {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    (Object.entries(methods) as [Method, Operation][]).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  )
  const schemas = Object.entries(document.components.schemas)
  const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(document.info.title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<div class="page">
<nav aria-label="Contents">
<strong>Calls</strong>
<ul>${calls.map((call) => `<li><a href="#${anchor(call)}">${escape(call.path.replace('/api/', ''))}${call.method === 'post' ? ' <span class="soft">POST</span>' : ''}</a></li>`).join('')}</ul>
<strong>Shapes</strong>
<ul>${schemas.map(([name]) => `<li><a href="#shape-${name}">${name}</a></li>`).join('')}</ul>
</nav>
<main id="main">
<h1>${escape(document.info.title)}</h1>
<p class="soft">Version ${escape(document.info.version)}. For machines: <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
<p>${prose(document.info.description)}</p>
<h2>With every call</h2>
${parameterTable(Object.values(document.components.parameters))}
<h2>Refusals</h2>
${refusalTable(document)}
<h2>Calls</h2>
${calls.map(callSection).join('\n')}
<h2>Shapes</h2>
${schemas.map(([name, schema]) => `<section class="call" aria-labelledby="shape-${name}"><h3 id="shape-${name}">${name}</h3>${schema.description ? `<p>${prose(schema.description)}</p>` : ''}${shapeTable(schema)}</section>`).join('\n')}
</main>
</div>
</body>
</html>
`
  const hash = createHash('sha256').update(STYLE).digest('base64')
  return {
    html,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

interface ShownCall {
  readonly path: string
  readonly method: Method
  readonly operation: Operation
}

function callSection(call: ShownCall): string {
  const { path, method, operation } = call
  const own = operation.parameters.filter(
    (parameter): parameter is Parameter => 'name' in parameter,
  )
  const body = operation.requestBody?.content['application/json']
  return `<section class="call" aria-labelledby="${anchor(call)}">
<h3 id="${anchor(call)}" class="path"><code>${method.toUpperCase()} ${escape(path)}</code></h3>
<p><strong>${escape(operation.summary)}.</strong> ${prose(operation.description ?? '')}</p>
${method === 'get' && operation.security.length === 0 ? `<p>Try it: <a href="${escape(exampleTarget(path))}"><code>${escape(exampleTarget(path))}</code></a></p>` : ''}
${own.length > 0 ? parameterTable(own) : body ? '' : '<p class="soft">No parameters of its own.</p>'}
${body ? `<h4>Body</h4>\n${shapeTable(body.schema)}\n<pre tabindex="0" aria-label="Example body of ${method} ${escape(path)}">${escape(JSON.stringify(body.example, null, 2))}</pre>` : ''}
${(operation['x-codeSamples'] ?? []).map((sample) => sampleText(call, sample)).join('\n')}
<h4>Answer</h4>
${answerText(call)}
</section>`
}

const sampleText = ({ path, method }: ShownCall, { lang, source }: CodeSample): string =>
  `<details><summary>${escape(lang)}</summary><pre tabindex="0" aria-label="${escape(`${method} ${path} in ${lang}`)}">${escape(source)}</pre></details>`

interface ShownAnswer {
  readonly description: string
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly example?: unknown }>
  >
}

/** An envelope with its example, files by their type, or that it is empty. */
function answerText({ path, method, operation }: ShownCall): string {
  const answers = operation.responses as Readonly<Record<string, ShownAnswer>>
  const [status = '', answer] = Object.entries(answers).find(([at]) => at.startsWith('2')) ?? []
  const { 'application/json': envelope, ...files } = answer?.content ?? {}
  const types = Object.keys(files)
  return [
    envelope
      ? `<p><code>data</code>: ${typeText(envelope.schema.properties?.['data'] ?? {})}</p>
<pre tabindex="0" aria-label="Example answer of ${method} ${escape(path)}">${escape(JSON.stringify(envelope.example, null, 2))}</pre>`
      : '',
    types.length > 0
      ? `<p>A file: <code>${types.map(escape).join('</code>, <code>')}</code></p>`
      : '',
    answer && !answer.content ? `<p>${escape(status)}: ${prose(answer.description)}</p>` : '',
  ].join('')
}

function exampleTarget(path: string): string {
  const call = PUBLISHED_CALLS.find((known) => `/api/${known.path}` === path)
  const query = new URLSearchParams(
    Object.entries(call?.example ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString()
  return query === '' ? path : `${path}?${query}`
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, required, schema, description }) =>
      `<tr><td><code>${escape(name)}</code>${required ? ' <span class="soft">needed</span>' : ''}</td><td>${typeText(schema)}</td><td>${prose(description ?? '')}${defaultText(schema)}</td></tr>`,
  )
  return table(['Parameter', 'Type', 'Meaning'], rows)
}

function shapeTable(schema: Schema): string {
  if (schema.anyOf?.some((part) => part.properties))
    return schema.anyOf.map(shapeTable).join('<p class="soft">or</p>')
  if (!schema.properties) return `<p>${typeText(schema)}</p>`
  return table(['Field', 'Type', 'Meaning'], fieldRows(schema, ''))
}

/** Fields of objects without a name of their own follow their parent. */
function fieldRows(schema: Schema, prefix: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = prefix + name
    const row = `<tr><td><code>${escape(path)}</code></td><td>${typeText(part)}</td><td>${prose(part.description ?? '')}${exampleText(part)}</td></tr>`
    const nested = [part, part.items, ...(part.anyOf ?? [])].find((inner) => inner?.properties)
    return nested ? [row, ...fieldRows(nested, `${path}${part.items ? '[]' : ''}.`)] : [row]
  })
}

function refusalTable(document: OpenApiDocument): string {
  const rows = Object.values(document.components.responses).map((response) => {
    const { description, content } = response as {
      description: string
      content: { 'application/json': { example: { code: number } } }
    }
    const { code } = content['application/json'].example
    return `<tr><td>${code}</td><td>${code}</td><td>${prose(description)}</td></tr>`
  })
  return table(['HTTP status', '<code>code</code>', 'Meaning'], rows)
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function typeText(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#shape-${name}">${name}</a>`
  }
  if (schema.items) return `list of ${typeText(schema.items)}`
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ')
  if ('const' in schema) return `<code>${escape(JSON.stringify(schema.const))}</code>`
  if (schema.enum)
    return schema.enum.map((value) => `<code>${escape(String(value))}</code>`).join(' ')
  return escape([schema.type ?? ''].flat().join(' or '))
}

function exampleText(schema: Schema): string {
  const [example] = schema.examples ?? []
  return example === undefined || example === ''
    ? ''
    : ` <span class="soft">Example: <code>${escape(String(example))}</code></span>`
}

function defaultText(schema: Schema): string {
  return schema.default === undefined
    ? ''
    : ` <span class="soft">Default: <code>${escape(String(schema.default))}</code></span>`
}

/** Plain words; `…` between backticks is code. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function anchor({ path, method }: Pick<ShownCall, 'path' | 'method'>): string {
  return `call-${path.replace('/api/', '').replaceAll(/[^a-zA-Z]/g, '-')}${method === 'post' ? '-post' : ''}`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
