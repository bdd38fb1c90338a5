import { utf8 } from '../crypto/encoding.ts'
import { parseForm, parsesAsJson } from '../parsers/forms.ts'
import { getExact } from '../parsers/large-integers.ts'
import { parseJson } from '../parsers/parse-json.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { redacted } from '../schemes/redact.ts'
import type { Paths } from './paths.ts'
import { redactJson } from './redact-json.ts'

/** As {@link editBody}. A body without places is replaced whole. */
export function redactBody(
  body: Uint8Array,
  provider: Pick<AnyProvider, 'parse'>,
  paths: Paths,
  payload?: unknown,
): Uint8Array {
  return editBody(body, provider, paths, payload) ?? utf8(redacted)
}

/**
 * Returns a body without the values at paths; the same bytes, if there are none. Returns undefined if the values of the body
 * have no place that a path could name: it is neither the JSON nor the form of its payload.
 *
 * @param payload the payload of a provider with a `parse` function of its own. @default the body has not been parsed
 */
export function editBody(
  body: Uint8Array,
  { parse }: Pick<AnyProvider, 'parse'>,
  paths: Paths,
  payload?: unknown,
): Uint8Array | undefined {
  if (paths.start.length === 0 || body.length === 0) return body
  const text = decodeText(body)
  if (text === undefined) return undefined
  if (isForm(text) && (parse === parseForm || isParsedBy(parseForm, payload, body)))
    return encodeIfChanged(redactForm(text, paths), text, body)
  const hasPlaces = parsesAsJson(parse, body) ? isJson(body) : isParsedBy(parseJson, payload, body)
  return hasPlaces ? encodeIfChanged(redactJson(text, paths), text, body) : undefined
}

/** Returns a form or a query without the fields at paths. Other fields stay as they are written. */
export function redactForm(form: string, paths: Paths): string {
  return form
    .split('&')
    .map((field) => {
      const [name = ''] = field.split('=', 1)
      const isRemoved = paths.matches(paths.step(paths.start, decodeName(name)))
      return isRemoved ? `${name}=${encodeURIComponent(redacted)}` : field
    })
    .join('&')
}

function encodeIfChanged(result: string, text: string, body: Uint8Array): Uint8Array {
  return result === text ? body : utf8(result)
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** A form has these characters encoded. Any other text would be the name of a field, whose value alone is removed. */
const isForm = (text: string): boolean => !/[\s"<>{}]/.test(text)

/** A parser may decode a part of the body, whose values the body then has in another form, such as JSON in a string. */
function isParsedBy(parse: (body: Uint8Array) => unknown, payload: unknown, body: Uint8Array): boolean {
  try {
    return JSON.stringify(getExact(payload)) === JSON.stringify(parse(body))
  } catch {
    return false
  }
}

function isJson(body: Uint8Array): boolean {
  try {
    parseJson(body, 'number')
    return true
  } catch {
    return false
  }
}
