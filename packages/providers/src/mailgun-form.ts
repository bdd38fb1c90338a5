import {
  formSignature,
  jsonField,
  jsonSignature,
  parseForm,
  parseJson,
  startsLikeJson,
  type SignatureLocation,
} from '@sallyport/webhooks'
import { encodeBase64 } from './base64.ts'
import { decode, isMultipart, readParts, type Part } from './multipart.ts'

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
  writeBody: (body, signature) => (startsLikeJson(body) ? json : form).writeBody?.(body, signature) ?? body,
}

/**
 * Reads a value of the signature: from the JSON of a webhook, or from the form of a route. Undefined for a file and for a
 * repeated field.
 */
export function readSigned(body: Uint8Array, name: string): string | undefined {
  if (startsLikeJson(body)) return jsonField(body, `signature.${name}`)
  const value = readSignedFields(body)[name]
  return typeof value === 'string' ? value : undefined
}

/** Parses the JSON of a webhook, and the form of a route, in which a file has its content in base64. */
export function parseMailgun(body: Uint8Array, integers?: 'text' | 'number'): unknown {
  if (startsLikeJson(body)) return parseJson(body, integers)
  const parts = isMultipart(body) ? readParts(body) : undefined
  return parts ? joinParts(parts, readValue) : parseForm(body)
}

type Form = Readonly<Record<string, unknown>>

const signedNames = ['signature', 'parent-signature', 'timestamp', 'token']

/** Verification reads four fields of one body, which can have 30 MB: the body is split once. */
const signedFields = new WeakMap<Uint8Array, Form>()

function readSignedFields(body: Uint8Array): Form {
  const known = signedFields.get(body)
  if (known) return known
  const fields = isMultipart(body) ? readSignedParts(body) : readUrlEncoded(body)
  signedFields.set(body, fields)
  return fields
}

/** The other parts, such as files, are decoded after the verification. */
function readSignedParts(body: Uint8Array): Form {
  const parts = readParts(body) ?? []
  return joinParts(
    parts.filter(({ name }) => signedNames.includes(name)),
    ({ filename, value }) => (filename === undefined ? decode(value) : undefined),
  )
}

function readUrlEncoded(body: Uint8Array): Form {
  try {
    return parseForm(body)
  } catch {
    return {}
  }
}

/** A repeated name has a list of values. */
function joinParts(parts: readonly Part[], read: (part: Part) => unknown): Form {
  const values = new Map<string, unknown>()
  for (const part of parts) {
    const value = read(part)
    values.set(part.name, values.has(part.name) ? [values.get(part.name), value].flat() : value)
  }
  return Object.fromEntries(values)
}

function readValue({ filename, contentType, value }: Part): unknown {
  const text = filename === undefined ? decode(value) : undefined
  return text ?? { filename, contentType, base64: encodeBase64(value) }
}
