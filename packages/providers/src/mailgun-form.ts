import {
  formSignature,
  jsonField,
  jsonSignature,
  parseForm,
  parseJson,
  type SignatureLocation,
} from '@sallyport/webhooks'
import { decode, isMultipart, readParts, type Part } from './multipart.ts'

const isJson = (body: Uint8Array): boolean => body[0] === 0x7b

const json = jsonSignature('signature.signature')
const form = formSignature('signature')

/** The signature of the account, and of the primary account for an event of a subaccount. */
export const mailgunSignature: SignatureLocation = {
  names: [],
  read({ body }) {
    const signatures = ['signature', 'parent-signature']
      .map((name) => readSigned(body, name))
      .filter((signature) => signature !== undefined)
    return signatures.length > 0 ? { signatures } : 'missing'
  },
  write: () => ({}),
  writeBody: (body, signature) => (isJson(body) ? json : form).writeBody?.(body, signature) ?? body,
}

/** Reads a value of the signature: from the JSON of a webhook, or from the form of a route. */
export function readSigned(body: Uint8Array, name: string): string | undefined {
  if (isJson(body)) return jsonField(body, `signature.${name}`)
  const value = readForm(body)?.[name]
  return typeof value === 'string' ? value : undefined
}

/** Parses the JSON of a webhook, and the form of a route, in which a file has its content in base64. */
export function parseMailgun(body: Uint8Array, integers?: 'text' | 'number'): unknown {
  if (isJson(body)) return parseJson(body, integers)
  return readForm(body) ?? parseForm(body)
}

type Form = Readonly<Record<string, unknown>>

/** The signature has three fields in the same body. */
const forms = new WeakMap<Uint8Array, Form | undefined>()

function readForm(body: Uint8Array): Form | undefined {
  if (!forms.has(body)) forms.set(body, isMultipart(body) ? readMultipart(body) : readUrlEncoded(body))
  return forms.get(body)
}

function readUrlEncoded(body: Uint8Array): Form | undefined {
  try {
    return parseForm(body)
  } catch {
    return undefined
  }
}

function readMultipart(body: Uint8Array): Form | undefined {
  const values = new Map<string, unknown>()
  for (const part of readParts(body) ?? []) {
    const known = values.get(part.name)
    values.set(part.name, known === undefined ? readValue(part) : [known, readValue(part)].flat())
  }
  return values.size > 0 ? Object.fromEntries(values) : undefined
}

function readValue({ filename, contentType, value }: Part): unknown {
  const text = filename === undefined ? decode(value) : undefined
  return text ?? { filename, contentType, base64: toBase64(value) }
}

/** The arguments of a function are limited. */
const chunk = 0x8000

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += chunk)
    text += String.fromCharCode(...bytes.subarray(at, at + chunk))
  return btoa(text)
}
