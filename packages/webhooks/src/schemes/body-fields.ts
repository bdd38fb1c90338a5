import { utf8 } from '../crypto/encoding.ts'
import { parseJson } from '../parsers/parse-json.ts'
import { readFormFields } from '../parsers/forms.ts'
import { isCheapJson } from './compact-json.ts'
import type { SignatureLocation } from './signature-header.ts'

/**
 * Reads a member of a JSON body that is not verified yet, for `content`. The path has dots between the names, such as
 * `signature.token`; a number in the path is an index.
 *
 * Returns a string unchanged, and a number or a boolean as text. Returns undefined for any other member, and for a body that
 * is not JSON or has more than 20,000 separators.
 *
 * @example
 * ```ts
 * import { hmac, jsonField, jsonSignature, signedTime } from '@sallyport/webhooks'
 *
 * const signature = hmac({
 *   algorithm: 'sha256',
 *   encoding: 'hex',
 *   header: jsonSignature('signature.signature'),
 *   timestamp: signedTime({ fromBody: (body) => jsonField(body, 'signature.timestamp') }),
 *   content: ({ body }) => [jsonField(body, 'signature.timestamp'), jsonField(body, 'signature.token')],
 *   covers: ['signature.timestamp', 'signature.token'],
 * })
 * ```
 */
export function jsonField(body: Uint8Array, path: string): string | undefined {
  let value = parseOnce(body)
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** The content of a scheme reads several fields of the same body. */
const parsed = new WeakMap<Uint8Array, unknown>()

function parseOnce(body: Uint8Array): unknown {
  if (parsed.has(body)) return parsed.get(body)
  let value: unknown
  try {
    value = isCheapJson(body) ? parseJson(body) : undefined
  } catch {
    // The body is not JSON.
  }
  parsed.set(body, value)
  return value
}

/** A signature in a member of the JSON body. The path is as in {@link jsonField}. */
export function jsonSignature(path: string): SignatureLocation {
  const names = path.split('.')
  return {
    names: [],
    read({ body }) {
      const signature = jsonField(body, path)
      return signature === undefined ? 'missing' : { signatures: [signature] }
    },
    write: () => ({}),
    writeBody(body, signature) {
      const payload = parseJson(body, 'number')
      let parent = payload as Record<string, unknown>
      for (const name of names.slice(0, -1)) parent = (parent[name] ??= {}) as Record<string, unknown>
      parent[names.at(-1) as string] = signature
      return utf8(JSON.stringify(payload))
    },
  }
}

/** Reads a field of a form that is not verified yet. Returns undefined for a missing or repeated field. */
export function formField(body: Uint8Array, name: string): string | undefined {
  const values = (readFormFields(body) ?? []).filter(([own]) => own === name)
  return values.length === 1 ? values[0]?.[1] : undefined
}

/** Writes a form. */
export function writeForm(fields: readonly (readonly [name: string, value: string])[]): Uint8Array {
  return utf8(new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString())
}

/** A signature in a field of the form. */
export function formSignature(name: string): SignatureLocation {
  return {
    names: [],
    read({ body }) {
      const signature = formField(body, name)
      return signature === undefined ? 'missing' : { signatures: [signature] }
    },
    write: () => ({}),
    writeBody(body, signature) {
      const others = (readFormFields(body) ?? []).filter(([own]) => own !== name)
      return writeForm([...others, [name, signature]])
    },
  }
}
