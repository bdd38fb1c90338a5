/** What the scaffolder asks about a service. */
export interface ServiceAnswers {
  readonly title: string
  readonly docs: string
  /** `hmac`, `standard-webhooks`, `token` or `basic`. */
  readonly scheme: string
  readonly header: string
  readonly algorithm: string
  readonly encoding: string
  /** The value of the header, such as `sha256={signature}` or `t={timestamp},v1={signature}`. */
  readonly value: string
  /** The header of the signed time, or empty. */
  readonly timeHeader: string
  /** `s`, `ms` or `rfc3339`. */
  readonly timeUnit: string
  /** The signed content, such as `v0:{timestamp}:{body}`; empty for the usual one. */
  readonly content: string
  /** Dotted paths, or `header:<name>`, separated by commas. */
  readonly kind: string
  readonly id: string
  readonly time: string
  readonly retries: string
}

type Question = readonly [name: keyof ServiceAnswers, question: string, usual: string]

/** The questions of the scaffolder with their defaults, in order. */
export const questions: readonly Question[] = [
  ['title', 'Name of the service', ''],
  ['docs', 'Page of the service on webhooks', ''],
  ['scheme', 'Signature: hmac, standard-webhooks, token, basic', 'hmac'],
  ['header', 'Header of the signature or token', 'x-signature'],
  ['algorithm', 'Algorithm: md5, sha1, sha256, sha512', 'sha256'],
  ['encoding', 'Encoding: hex, hex-upper, base64, base64url', 'hex'],
  ['value', 'Value of the header, such as sha256={signature} or t={timestamp},v1={signature}', '{signature}'],
  ['timeHeader', 'Header of a signed time, empty for none', ''],
  ['timeUnit', 'Unit of the signed time: s, ms, rfc3339', 's'],
  [
    'content',
    'Signed content of {timestamp}, {body}, {url} and {method}, empty for {body} or {timestamp}.{body}',
    '',
  ],
  ['kind', 'Kind: paths, or header:<name>, separated by commas', 'type'],
  ['id', 'Id that is documented as unique: paths or header:<name>, empty for the hash of the body', ''],
  ['time', 'Path of the time, empty for none', ''],
  ['retries', 'When the service sends again', 'unknown'],
]

const choices = {
  scheme: ['hmac', 'standard-webhooks', 'token', 'basic'],
  algorithm: ['md5', 'sha1', 'sha256', 'sha512'],
  encoding: ['hex', 'hex-upper', 'base64', 'base64url'],
  timeUnit: ['s', 'ms', 'rfc3339'],
} as const satisfies Partial<Record<keyof ServiceAnswers, readonly string[]>>

/** @throws TypeError for an answer that is not possible */
export function checkAnswers(answers: ServiceAnswers): void {
  for (const [name, values] of Object.entries(choices)) {
    const given = answers[name as keyof typeof choices]
    if (!(values as readonly string[]).includes(given))
      throw new TypeError(`--${name} must be one of ${values.join(', ')}, not "${given}"`)
  }
  for (const name of ['header', 'timeHeader'] as const) {
    const given = answers[name]
    if (given !== '' && !/^[\w-]+$/.test(given))
      throw new TypeError(`--${name} must be the name of a header, not "${given}"`)
  }
  if (answers.docs !== '' && !(URL.canParse(answers.docs) && answers.docs.startsWith('https://')))
    throw new TypeError(`--docs must be an https address, not "${answers.docs}"`)
}

/** The text of `--help`. */
export const help = `Usage: npm run new:provider <name> -- [options]

Writes the declaration, two samples and the test of a new service, and adds the service to the lists of the package. It runs
from source, without a build. Each option answers a question; a terminal asks for the others.

${questions.map(([name, question, usual]) => `  --${name.padEnd(11)} ${question}${usual === '' ? '' : ` [${usual}]`}`).join('\n')}

Examples:
  npm run new:provider acme -- --header x-acme-signature --value 'sha256={signature}'
  npm run new:provider acme -- --header acme-signature --value 't={timestamp},v1={signature}'
  npm run new:provider acme -- --header x-signature --timeHeader x-time --content 'v0:{timestamp}:{body}'

docs/guides/add-a-provider.md explains what to look up, and the steps after this one.
`
