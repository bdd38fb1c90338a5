import { createHash } from 'node:crypto'
import type {
  OpenApiComponents,
  OpenApiContent,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiReference,
} from './document-model.ts'
import { markup, type Content, type Markup } from './html.ts'
import type { JsonSchema } from './json-schema.ts'

/** A schema of OpenAPI 3.0 or 3.1. */
type Schema = JsonSchema & { readonly nullable?: boolean }

/** Renders a document as one page without scripts, and the content security policy of the page. */
export function renderPage(document: OpenApiDocument): { readonly html: string; readonly policy: string } {
  const { info, servers, tags = [], paths, webhooks, components = {} } = document
  const base = servers[0]?.url.replace(/\/$/, '') ?? ''
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operation,
      address: markup`<code><b>${method.toUpperCase()}</b> ${base + path}</code>`,
    })),
  )
  const sent = Object.entries(document['x-webhooks'] ?? webhooks ?? {}).flatMap(([name, methods]) =>
    Object.values(methods).map((operation) => ({ operation, address: markup`<code>${name}</code>` })),
  )
  const groups = [...tags, { name: undefined, description: '' }].map(({ name, description }) => ({
    title: name ?? 'Operations',
    description,
    members: operations.filter(({ operation }) => operation.tags?.[0] === name),
  }))
  const received = { title: 'Webhooks', description: 'What the API sends.', members: sent }
  const used = [...groups, received].filter(({ members }) => members.length > 0)
  const links = used.map(({ title, members }) => {
    const items = members.map(({ address, operation: { operationId, summary } }) => {
      return markup`<li><a href="#${operationId}">${address}</a> ${summary}</li>\n`
    })
    return markup`<h3>${title}</h3>\n<ul>\n${items}</ul>\n`
  })
  const sections = used.map(({ title, description, members }) => {
    const articles = members.map(({ address, operation }) => {
      const schemes = operation.security.flatMap((scheme) => Object.keys(scheme))
      const access = schemes.length === 0 ? 'Public.' : `Authentication: ${schemes.join(' or ')}.`
      return renderOperation(address, operation, components, members === sent ? '' : access)
    })
    return markup`<section><h2>${title}</h2>\n${toParagraphs(description)}${articles}</section>\n`
  })
  const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => {
    const content = [toParagraphs(schema.description), renderSchema(schema)]
    return markup`<article id="schema-${name}"><h3><code>${name}</code></h3>\n${content}</article>\n`
  })
  const { html } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
<body>
<header><h1>${info.title} <small>${info.version}</small></h1>
${toParagraphs(info.description)}<p><a href="openapi.json">OpenAPI document</a></p></header>
<nav aria-label="Operations"><h2>Operations</h2>
${links}</nav>
<main>
${sections}${schemas.length > 0 && markup`<section><h2>Schemas</h2>\n${schemas}</section>\n`}</main>
</body>
</html>
`
  return { html, policy }
}

function renderOperation(
  address: Markup,
  operation: OpenApiOperation,
  components: OpenApiComponents,
  access: string,
): Markup {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const inputs = parameters.map((given) => {
    const { name, in: part, required, schema, description } = resolve(given, components.parameters)
    const presence = required === true ? 'required' : 'optional'
    const content = [formatType(schema), toParagraphs(description)]
    return markup`<li><code>${name}</code> ${part}, ${presence}: ${content}</li>\n`
  })
  const outputs = Object.entries(responses).map(([status, given]) => {
    const { description, content } = resolve(given, components.responses)
    const shown = Number(status) < 300 && content !== undefined && renderMedia(content)
    return markup`<li><strong>${status}</strong> ${description}${shown}</li>\n`
  })
  return markup`<article id="${operationId}"><h3>${address}</h3>
<p><strong>${summary}</strong>${operation.deprecated === true && ' (deprecated)'}</p>
${toParagraphs(description)}<p class="note">${access}</p>
${inputs.length > 0 && markup`<h4>Parameters</h4>\n<ul>\n${inputs}</ul>\n`}${
    requestBody !== undefined &&
    markup`<h4>Body${requestBody.required !== true && ' (optional)'}</h4>\n${renderMedia(requestBody.content)}`
  }<h4>Responses</h4>\n<ul>\n${outputs}</ul></article>\n`
}

function resolve<T extends object>(
  given: T | OpenApiReference,
  components: Readonly<Record<string, T>> = {},
): T {
  return '$ref' in given ? (components[getName(given) ?? ''] as T) : given
}

const getName = ({ $ref }: Partial<OpenApiReference>): string | undefined =>
  $ref?.slice($ref.lastIndexOf('/') + 1)

function renderMedia(media: OpenApiContent): Content {
  return Object.entries(media).map(
    ([mediaType, { schema = {}, itemSchema, 'x-itemSchema': extension, example }]) => {
      const item = itemSchema ?? extension ?? schema.contentSchema?.items
      const text = JSON.stringify(example, null, 2) as string | undefined
      const shown =
        text !== undefined && markup`<details><summary>Example</summary><pre>${text}</pre></details>\n`
      return markup`<p class="note">${mediaType}</p>\n${renderSchema(typeof item === 'object' ? item : schema)}${shown}`
    },
  )
}

/** Renders the type of a schema and its fields. */
function renderSchema(schema: Schema): Content {
  const { properties = {}, required = [], items, contentSchema, anyOf = [], oneOf = [], allOf = [] } = schema
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = !required.includes(name) && ' optional'
    const content = [renderSchema(field), toParagraphs(field.description)]
    return markup`<li><code>${name}</code>${optional}: ${content}</li>\n`
  })
  const choices = [...anyOf, ...oneOf]
  if (choices.some((choice) => choice.properties !== undefined)) {
    const shown = choices.map((choice) => markup`<li>${renderSchema(choice)}</li>\n`)
    return markup`<span>one of:</span>\n<ul>\n${shown}</ul>\n`
  }
  const parts = [items, contentSchema, ...allOf].filter(
    (part) => typeof part === 'object' && part.properties !== undefined,
  )
  return [
    markup`<span>${formatType(schema)}</span>`,
    fields.length > 0 && markup`<ul>\n${fields}</ul>\n`,
    parts.map((part) => renderSchema(part as Schema)),
  ]
}

/** Formats the type of a schema on one line. */
function formatType(schema: Schema): Content {
  const name = getName(schema)
  if (name !== undefined) return markup`<a href="#schema-${name}">${name}</a>`
  const limits = Object.entries(limitNames).map(([key, label]) => {
    const value = schema[key as keyof typeof limitNames]
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return value !== undefined && markup`, ${label} <code>${text}</code>`
  })
  return [formatBaseType(schema), schema.nullable === true && ' or null', limits]
}

function formatBaseType({ enum: values, const: value, ...schema }: Schema): Content {
  const { items, anyOf, oneOf, allOf, type, format } = schema
  const join = (parts: readonly Schema[], separator: string) =>
    parts.map((part, index) => [index > 0 && separator, formatType(part)])
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return join(choices, ' or ')
  if (allOf !== undefined) return join(allOf, ' and ')
  if (value !== undefined) return JSON.stringify(value)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(', ')
  if (typeof items === 'object') return ['array of ', formatType(items)]
  return [[type ?? 'any'].flat().join(' or '), format !== undefined && ` (${format})`]
}

const limitNames = {
  minimum: 'minimum',
  maximum: 'maximum',
  minLength: 'minimum length',
  maxLength: 'maximum length',
  minItems: 'minimum items',
  maxItems: 'maximum items',
  pattern: 'pattern',
  default: 'default',
} as const

/** Converts text with blank lines between paragraphs and `code` in backticks. */
function toParagraphs(text = ''): Content {
  const parts = text.split(/\n{2,}/).filter((part) => part !== '')
  return parts.map((part) => {
    if (part.startsWith('## ')) return markup`<h3>${part.slice(3)}</h3>\n`
    const pieces = part.split(/`([^`]+)`/)
    return markup`<p>${pieces.map((piece, index) => (index % 2 === 1 ? markup`<code>${piece}</code>` : piece))}</p>\n`
  })
}

const style = `
:root { color-scheme: light dark }
body { max-width: 56rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1, h2, h3 { line-height: 1.25 }
h4, p { margin: .5rem 0 }
small, .note { opacity: .75; font-weight: normal }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { overflow: auto; padding: .75rem; border-radius: .5rem; background: #8882 }
ul { padding-left: 1.25rem }
article { margin: 1rem 0; padding: .25rem 1rem; border: 1px solid #8886; border-radius: .5rem }
:target { border-color: currentColor }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
