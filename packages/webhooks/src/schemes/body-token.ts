import { utf8 } from '../crypto/encoding.ts'
import { parseJson } from '../gateway/parse-json.ts'
import { redacted } from '../gateway/redact.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { isCheapJson } from './compact-json.ts'
import { matchesAny } from './credentials.ts'
import { createRandomSecret, isSecret, requireSecret } from './keys.ts'
import { refusal } from './proof.ts'

type Holder = Record<string, unknown>

/**
 * A member of the JSON body with the secret. The scheme authenticates the sender, not the body: a person who reads one
 * delivery can send any other delivery. The verified body does not contain the member.
 *
 * @param path the member, with dots between the names; `*` stands for each element of a list, which must all have the secret
 *
 * @throws TypeError from `sign` for an empty secret
 *
 * @example
 * ```ts
 * import { bodyToken } from '@sallyport/webhooks'
 *
 * const figma = bodyToken('passcode')
 * const graph = bodyToken('value.*.clientState')
 * ```
 */
export function bodyToken(path: string): SignatureScheme {
  const names = path.split('.')
  const last = names.pop() ?? ''
  return {
    headers: [],
    covers: [],
    async verify({ body }, secrets) {
      const payload = readPayload(body)
      if (payload === undefined) return refusal('malformed')
      const holders = listHolders(payload, names)
      const tokens = holders.map((holder) => (Object.hasOwn(holder, last) ? holder[last] : undefined))
      if (tokens.length === 0 || !tokens.every(isSecret)) return refusal('missing')
      const usable = secrets.filter(isSecret)
      for (const token of new Set(tokens)) {
        if (!(await matchesAny(token, usable))) return refusal('mismatch')
      }
      for (const holder of holders) Reflect.deleteProperty(holder, last)
      return { verified: true, body: utf8(JSON.stringify(payload)) }
    },
    createSecret: () => createRandomSecret(),
    sign: () => ({}),
    signBody({ body }, secret) {
      requireSecret(secret)
      const payload = parseJson(body, 'number')
      for (const holder of listHolders(payload, names)) holder[last] = secret
      return utf8(JSON.stringify(payload))
    },
    redactBody(body) {
      const payload = readPayload(body)
      if (payload === undefined) return new Uint8Array()
      const holders = listHolders(payload, names).filter((holder) => Object.hasOwn(holder, last))
      if (holders.length === 0) return body
      for (const holder of holders) holder[last] = redacted
      return utf8(JSON.stringify(payload))
    },
  }
}

function readPayload(body: Uint8Array): unknown {
  try {
    return isCheapJson(body) ? parseJson(body) : undefined
  } catch {
    return undefined
  }
}

/** Lists the objects that a path names. */
function listHolders(value: unknown, [name, ...rest]: readonly string[]): readonly Holder[] {
  if (typeof value !== 'object' || value === null) return []
  if (name === undefined) return [value as Holder]
  if (name === '*') return Array.isArray(value) ? value.flatMap((one) => listHolders(one, rest)) : []
  return Object.hasOwn(value, name) ? listHolders((value as Holder)[name], rest) : []
}
