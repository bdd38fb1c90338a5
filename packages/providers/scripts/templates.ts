import { identifier } from './names.ts'
import type { ServiceAnswers } from './questions.ts'
import { quote, writeSignature } from './signature-template.ts'
import { writeTest } from './test-template.ts'

/**
 * The files of a service by their paths in `src/services`.
 *
 * @param month the present month, such as `2026-11`
 */
export function serviceFiles(
  name: string,
  answers: ServiceAnswers,
  month: string,
): ReadonlyMap<string, string> {
  return new Map([
    [`${name}.ts`, service(name, answers, month)],
    [`${name}.samples.json`, samples(answers)],
    [`${name}.test.ts`, writeTest(name, answers)],
  ])
}

const parts = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

function sources(text: string): string {
  const list = parts(text).map((part) =>
    part.startsWith('header:')
      ? `{ header: ${quote(part.slice('header:'.length).toLowerCase())} }`
      : quote(part),
  )
  return list.length === 1 ? (list[0] ?? '') : `[${list.join(', ')}]`
}

function service(name: string, answers: ServiceAnswers, month: string): string {
  const { imports, code } = writeSignature(answers)
  const { title, kind, id, time, retries } = answers
  const docs = answers.docs === '' ? 'TODO: the page of the service on webhooks' : answers.docs
  return `import { defineService, ${imports.join(', ')}, type ServiceFacts } from '@sallyport/webhooks'

/** ${title}. */
export const ${identifier(name)} = defineService({
  name: ${quote(name)},
  signature: ${code},
  kind: ${sources(kind)},
${id === '' ? '' : `  id: ${sources(id)},\n`}${time === '' ? '' : `  time: ${sources(time)},\n`}})

export const facts: ServiceFacts = {
  title: ${quote(title)},
  docs: ${quote(docs)},
  confidence: 'secondary',
  checked: ${quote(month)},
  sources: [${quote(docs)}],
${id === '' ? '' : `  identity: 'TODO: the page that documents the id as unique',\n`}  setup: ['TODO: where to enter the address', 'TODO: where to find the secret'],
  retries: ${quote(retries)},
}
`
}

function samples(answers: ServiceAnswers): string {
  return `${JSON.stringify([sample(answers, 'todo'), sample(answers, 'todo-2')], null, 2)}\n`
}

/** A delivery whose texts are to be replaced. */
function sample({ kind, id, time }: ServiceAnswers, text: string): object {
  const body: Record<string, unknown> = {}
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const set = (path: string, value: string): void => {
    if (path.startsWith('header:')) {
      headers[path.slice('header:'.length).toLowerCase()] = value
      return
    }
    const [last = '', ...outer] = path.split('.').reverse()
    let holder = body
    for (const one of outer.reverse()) holder = (holder[one] ??= {}) as Record<string, unknown>
    holder[last] = value
  }
  for (const part of [...parts(kind), ...parts(id)]) set(part, text)
  for (const part of parts(time)) set(part, '2026-01-01T00:00:00Z')
  return {
    kind: parts(kind)
      .map(() => text)
      .join('.'),
    source: 'TODO: a page or a file',
    headers,
    body,
  }
}
