import { utf8 } from '../crypto/encoding.ts'
import type { LargeIntegers } from './large-integers.ts'
import { parseJson } from './parse-json.ts'
import { invalidJson } from '../ports/refusals.ts'
import type { AnyProvider } from '../provider/provider.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** More than the fields of any known service. */
const maximumFields = 1000

/**
 * Reads the fields of an `application/x-www-form-urlencoded` body in their order. Returns undefined for a body with an invalid
 * escape, a byte outside of UTF-8 or more than 1000 fields.
 */
export function readFormFields(
  body: Uint8Array,
): readonly (readonly [name: string, value: string])[] | undefined {
  try {
    const text = decoder.decode(body)
    if (text === '') return []
    const fields = text.split('&', maximumFields + 1)
    if (fields.length > maximumFields) return undefined
    return fields.map((field) => {
      const [name = ''] = field.split('=', 1)
      return [decodeField(name), decodeField(field.slice(name.length + 1))] as const
    })
  } catch {
    return undefined
  }
}

const decodeField = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/**
 * Parses a form as an object. A repeated field is a list of its values. Use the function as `parse` of a provider.
 *
 * @throws SallyportError `INVALID_JSON` (400) for a body that is not a form
 *
 * @example
 * ```ts
 * import { parseForm } from '@sallyport/webhooks'
 *
 * parseForm(new TextEncoder().encode('From=%2B15550100&Body=hi')) // { From: '+15550100', Body: 'hi' }
 * ```
 */
export function parseForm(body: Uint8Array): Readonly<Record<string, string | readonly string[]>> {
  const fields = readFormFields(body)
  if (fields === undefined) throw invalidJson('The body is not a form in UTF-8')
  const values = new Map<string, string | string[]>()
  for (const [name, value] of fields) {
    const known = values.get(name)
    values.set(name, known === undefined ? value : [known, value].flat())
  }
  return Object.fromEntries(values)
}

/**
 * Creates a `parse` function for a service that sends JSON, or a form with JSON in one field. A form without the field is an
 * object of its fields, as from {@link parseForm}.
 *
 * @example
 * ```ts
 * import { parseFormJson } from '@sallyport/webhooks'
 *
 * const parse = parseFormJson('payload')
 * parse(new TextEncoder().encode('payload=%7B%22action%22%3A%22opened%22%7D')) // { action: 'opened' }
 * ```
 */
export function parseFormJson(field: string): (body: Uint8Array, largeIntegers?: LargeIntegers) => unknown {
  const parse = (body: Uint8Array, largeIntegers?: LargeIntegers): unknown => {
    if (startsLikeJson(body)) return parseJson(body, largeIntegers)
    const form = parseForm(body)
    const json = Object.hasOwn(form, field) ? form[field] : undefined
    return typeof json === 'string' ? parseJson(utf8(json), largeIntegers) : form
  }
  formJsonParsers.add(parse)
  return parse
}

const formJsonParsers = new WeakSet<NonNullable<AnyProvider['parse']>>()

/** Reports whether a provider with this `parse` function parses the body with `parseJson`, as it is. */
export const parsesAsJson = (parse: AnyProvider['parse'], body: Uint8Array): boolean =>
  parse === undefined || (formJsonParsers.has(parse) && startsLikeJson(body))

/** White space before JSON is short. */
const maximumWhiteSpace = 64

/**
 * Reports whether a body is JSON, and not a form or a JSON Web Token: after at most 63 bytes of white space, it starts with `{`,
 * `[` or a byte order mark. Reads at most 64 bytes.
 *
 * @example
 * ```ts
 * import { parseJson, parseJwtClaims, startsLikeJson } from '@sallyport/webhooks'
 *
 * const parse = (body: Uint8Array) => (startsLikeJson(body) ? parseJson(body) : parseJwtClaims(body))
 * parse(new TextEncoder().encode('{"state":"hangup"}')) // { state: 'hangup' }
 * ```
 */
export function startsLikeJson(body: Uint8Array): boolean {
  const first = body.subarray(0, maximumWhiteSpace).find((byte) => byte > 0x20)
  return first === 0x7b || first === 0x5b || first === 0xef
}
