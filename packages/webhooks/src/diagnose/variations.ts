import { decodeText, encodeBytes, utf8 } from '../crypto/encoding.ts'
import type { MistakeCode } from './diagnose.ts'
import { listJsonForms } from './json-forms.ts'

/** A changed part of a delivery, and the mistake that explains the change. */
export interface Variation<Value> {
  readonly code: MistakeCode
  readonly message: string
  readonly value: Value
}

/** Returns the secrets that a person may have meant by a secret. */
export function varySecret(secret: string): readonly Variation<string>[] {
  const variation = (code: MistakeCode, message: string, value: string | undefined) =>
    value === undefined || value === '' || value === secret ? [] : [{ code, message, value }]
  return [
    ...variation('SECRET_WHITESPACE', 'The secret has white space at its start or end.', secret.trim()),
    ...variation(
      'SECRET_QUOTES',
      'The secret has quotes around it.',
      /^\s*(["'])(.*)\1\s*$/s.exec(secret)?.[2],
    ),
    ...variation(
      'SECRET_PREFIX',
      'The secret lacks the prefix "whsec_".',
      secret.startsWith('whsec_') ? undefined : `whsec_${secret}`,
    ),
    ...variation(
      'SECRET_PREFIX',
      'The prefix "whsec_" is not part of the secret of this service.',
      secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : undefined,
    ),
    ...variation(
      'SECRET_ENCODING',
      'The secret is in base64: this service uses the decoded text.',
      toText(decodeText('base64', secret.trim())),
    ),
    ...variation(
      'SECRET_ENCODING',
      'The secret is in hexadecimal: this service uses the decoded text.',
      toText(decodeText('hex', secret.trim())),
    ),
    ...variation(
      'SECRET_ENCODING',
      'The secret is decoded: this service uses its base64 form.',
      encodeBytes('base64', utf8(secret)),
    ),
    ...variation(
      'SECRET_ENCODING',
      'The secret is decoded: this service uses its hexadecimal form.',
      encodeBytes('hex', utf8(secret)),
    ),
  ]
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8; undefined for other bytes. */
function toText(bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes && decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const whitespace =
  'The body was changed on its way: its white space or line ends differ from the signed body.'
const reserialized =
  'The body is JSON that was parsed and written again: pass the bytes of the request to the verifier.'

/** Returns the bodies that a service may have signed when this one arrived. */
export function varyBody(body: Uint8Array): readonly Variation<Uint8Array>[] {
  const text = toText(body)
  if (text === undefined) return []
  const decoded = decodeText('base64', text.trim(), Infinity)
  const candidates: readonly (readonly [code: MistakeCode, message: string, texts: readonly string[]])[] = [
    [
      'BODY_WHITESPACE',
      whitespace,
      [
        text.trim(),
        text.replace(/\r?\n$/, ''),
        `${text}\n`,
        text.replaceAll('\r\n', '\n'),
        text.replaceAll(/\r?\n/g, '\r\n'),
      ],
    ],
    ['BODY_RESERIALIZED', reserialized, listJsonForms(text)],
  ]
  return [
    ...(decoded && decoded.length > 0
      ? [
          {
            code: 'BODY_BASE64' as const,
            message: 'The body is in base64: decode it before the verification.',
            value: decoded,
          },
        ]
      : []),
    ...candidates.flatMap(([code, message, texts]) =>
      [...new Set(texts)]
        .filter((changed) => changed !== text)
        .map((changed) => ({ code, message, value: utf8(changed) })),
    ),
  ]
}

/** Returns the public addresses that a service may have called. */
export function varyUrl(address: string): readonly Variation<string>[] {
  if (!URL.canParse(address)) return []
  const change = (edit: (url: URL) => void): string => {
    const url = new URL(address)
    edit(url)
    return url.href
  }
  const urls = [
    change((url) => (url.protocol = url.protocol === 'https:' ? 'http:' : 'https:')),
    change((url) => (url.search = '')),
    change((url) => (url.port = '')),
    change(
      (url) => (url.pathname = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : `${url.pathname}/`),
    ),
  ]
  return [...new Set(urls)]
    .filter((url) => url !== address)
    .map((value) => ({
      code: 'URL',
      message: `The service signed another address: ${value.split('?')[0] ?? ''}. Set the public URL to it.`,
      value,
    }))
}

/** Finds the times in headers and in the start of a body, in milliseconds since the epoch. */
export function findTimes(values: readonly string[]): readonly number[] {
  const times = values.flatMap((value) =>
    [...value.slice(0, 8192).matchAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?|\d{10,19}/g)].map(
      ([text]) => (/^\d+$/.test(text) ? toMilliseconds(Number(text)) : Date.parse(text)),
    ),
  )
  return [...new Set(times.filter((time) => time > earliest && time < latest))].slice(0, 8)
}

const [earliest, latest] = [Date.UTC(2000), Date.UTC(2100)]

const toMilliseconds = (number: number): number =>
  number < 1e11 ? number * 1000 : number < 1e14 ? number : number < 1e17 ? number / 1e3 : number / 1e6
