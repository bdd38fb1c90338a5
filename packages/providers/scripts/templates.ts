import { identifier } from './names.ts'

/** What the scaffolder asks about a service. */
export interface ServiceAnswers {
  readonly title: string
  readonly docs: string
  /** `hmac`, `standard-webhooks`, `token` or `basic`. */
  readonly scheme: string
  readonly header: string
  readonly algorithm: string
  readonly encoding: string
  readonly prefix: string
  /** The header of the signed time, or empty. */
  readonly timeHeader: string
  /** Dotted paths, or `header:<name>`, separated by commas. */
  readonly kind: string
  readonly id: string
  readonly time: string
}

/** The questions of the scaffolder with their defaults, in order. */
export const questions: readonly (readonly [name: keyof ServiceAnswers, question: string, usual: string])[] =
  [
    ['title', 'Name of the service', ''],
    ['docs', 'Page of the service on webhooks', 'https://'],
    ['scheme', 'Signature: hmac, standard-webhooks, token, basic', 'hmac'],
    ['header', 'Header of the signature or token', 'x-signature'],
    ['algorithm', 'Algorithm: sha1, sha256, sha512', 'sha256'],
    ['encoding', 'Encoding: hex, base64, base64url', 'hex'],
    ['prefix', 'Prefix of the signature, such as sha256=', ''],
    ['timeHeader', 'Header of a signed time, empty for none', ''],
    ['kind', 'Kind: paths, or header:<name>, separated by commas', 'type'],
    ['id', 'Signed id: paths or header:<name>, separated by commas, empty for the hash of the body', ''],
    ['time', 'Path of the time, empty for none', ''],
  ]

/** The files of a service by their paths in `src/services`. */
export function serviceFiles(name: string, answers: ServiceAnswers): ReadonlyMap<string, string> {
  return new Map([
    [`${name}.ts`, service(name, answers)],
    [`${name}.samples.json`, samples(answers)],
    [`${name}.test.ts`, test(name, answers)],
  ])
}

const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

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

function scheme(answers: ServiceAnswers): readonly [imports: readonly string[], code: string] {
  const { header, algorithm, encoding, prefix, timeHeader } = answers
  if (answers.scheme === 'standard-webhooks') return [['standardWebhooks'], 'standardWebhooks()']
  if (answers.scheme === 'basic') return [['basicAuth'], 'basicAuth()']
  const presented = `    header: ${quote(header)},\n${prefix === '' ? '' : `    prefix: ${quote(prefix)},\n`}`
  if (answers.scheme === 'token') return [['sharedToken'], `sharedToken({\n${presented}  })`]
  const plain = `    algorithm: ${quote(algorithm)},\n    encoding: ${quote(encoding)},\n${presented}`
  if (timeHeader === '') return [['hmac'], `hmac({\n${plain}  })`]
  return [
    ['hmac', 'signedTime'],
    `hmac({
${plain}    timestamp: signedTime({ header: ${quote(timeHeader)} }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  })`,
  ]
}

function service(name: string, answers: ServiceAnswers): string {
  const [imports, signature] = scheme(answers)
  const { title, docs, kind, id, time } = answers
  return `import { defineService, ${imports.join(', ')}, type ServiceFacts } from '@sallyport/webhooks'

/** ${title}. */
export const ${identifier(name)} = defineService({
  name: ${quote(name)},
  signature: ${signature},
  kind: ${sources(kind)},
${id === '' ? '' : `  id: ${sources(id)},\n`}${time === '' ? '' : `  time: ${sources(time)},\n`}})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: ${quote(title)},
  docs: ${quote(docs)},
  confidence: 'secondary',
  setup: ['TODO: where to enter the address', 'TODO: where to find the secret'],
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

function test(
  name: string,
  { scheme, header, algorithm, encoding, prefix, timeHeader }: ServiceAnswers,
): string {
  const id = identifier(name)
  const digest = `hash.digest('${encoding}')`
  const signed = prefix === '' ? digest : `\`${prefix}\${${digest}}\``
  const recipes: Readonly<Record<string, readonly [string, string]>> = {
    'standard-webhooks': [
      `import { Webhook } from 'standardwebhooks'\n`,
      `({ text, secret, now }) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(now / 1000),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(now), text),
  })`,
    ],
    token: [
      '',
      `({ secret }) => ({\n    ${quote(header)}: ${prefix === '' ? 'secret' : `\`${prefix}\${secret}\``},\n  })`,
    ],
    basic: ['', '({ secret }) => ({\n    authorization: `Basic ${btoa(secret)}`,\n  })'],
    hmac: [
      `import { createHmac } from 'node:crypto'\n`,
      timeHeader === ''
        ? `({ body, secret }) => {
    const hash = createHmac('${algorithm}', secret).update(body)
    return { ${quote(header)}: ${signed} }
  }`
        : `({ text, secret, now }) => {
    const time = String(now / 1000)
    const hash = createHmac('${algorithm}', secret).update(\`\${time}.\${text}\`)
    return { ${quote(timeHeader)}: time, ${quote(header)}: ${signed} }
  }`,
    ],
  }
  const [imports = '', sign = ''] = recipes[scheme] ?? recipes['hmac'] ?? []
  return `import { testService } from '@sallyport/webhooks/testing'
${imports}import { runner } from '../../test/runner.ts'
import { ${id} } from './${name}.ts'
import samples from './${name}.samples.json' with { type: 'json' }

testService(runner, {
  provider: ${id},
  samples,${scheme === 'basic' ? `\n  secret: 'user:password',` : ''}
  sign: ${sign},
})
`
}
