import { utf8 } from '../crypto/encoding.ts'
import { parseJson } from '../parsers/parse-json.ts'
import { redacted } from './redact.ts'
import type { SignatureScheme } from '../ports/ports.ts'
import { isCheapJson } from './compact-json.ts'
import { matchesAny } from './credentials.ts'
import { editObjects, type EditMembers, type JsonMember } from './edit-objects.ts'
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
  const isOther = ({ name }: JsonMember) => name !== last
  const toMember = (value: string): JsonMember => ({ name: last, value: JSON.stringify(value) })
  const edit = (body: Uint8Array, change: EditMembers): Uint8Array =>
    utf8(editObjects(new TextDecoder().decode(body), names, change))
  return {
    headers: [],
    covers: [],
    description: { scheme: 'body-token', options: { path } },
    async verify({ body }, secrets) {
      const payload = readPayload(body)
      if (payload === undefined) return refusal('malformed')
      const tokens = listHolders(payload, names).map((holder) =>
        Object.hasOwn(holder, last) ? holder[last] : undefined,
      )
      if (tokens.length === 0 || !tokens.every(isSecret)) return refusal('missing')
      const usable = secrets.filter(isSecret)
      for (const token of new Set(tokens)) {
        if (!(await matchesAny(token, usable))) return refusal('mismatch')
      }
      return { verified: true, body: edit(body, (members) => members.filter(isOther)) }
    },
    createSecret: () => createRandomSecret(),
    sign: () => ({}),
    signBody({ body }, secret) {
      requireSecret(secret)
      // Editing requires valid JSON.
      parseJson(body, 'number')
      return edit(body, (members) => [...members.filter(isOther), toMember(secret)])
    },
    redactBody(body) {
      if (readPayload(body) === undefined) return new Uint8Array()
      let tokens = 0
      const edited = edit(body, (members) => {
        tokens += members.length - members.filter(isOther).length
        return members.map((member) => (isOther(member) ? member : toMember(redacted)))
      })
      return tokens > 0 ? edited : body
    },
  }
}

function readPayload(body: Uint8Array): unknown {
  try {
    return isCheapJson(body) ? parseJson(body, 'number') : undefined
  } catch {
    return undefined
  }
}

/** Lists the objects that a path names. */
function listHolders(value: unknown, [name, ...rest]: readonly string[]): readonly Holder[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return name === '*' ? value.flatMap((one) => listHolders(one, rest)) : []
  if (name === undefined) return [value as Holder]
  return name !== '*' && Object.hasOwn(value, name) ? listHolders((value as Holder)[name], rest) : []
}
