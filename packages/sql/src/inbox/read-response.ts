import type { AttemptResponse } from '@sallyport/webhooks'
import type { Vault } from '../encryption/vault.ts'
import { unescapeText } from '../internal/text.ts'
import { readResponseJson } from './attempt-response.ts'
import { answerContext } from './stored.ts'

/**
 * Reads an answer to an attempt. An answer whose body cannot be opened is left out.
 *
 * @param ids those that the event may have had at the attempt
 */
export function readResponse(
  json: string | null,
  { open }: Pick<Vault, 'open'>,
  ids: readonly string[],
): { readonly response?: AttemptResponse } {
  const { response } = readResponseJson(json)
  if (response?.body === undefined) return response ? { response } : {}
  for (const id of ids) {
    try {
      return { response: { ...response, body: unescapeText(open(response.body, answerContext(id))) } }
    } catch {
      // The attempt had another id, or no key opens the answer.
    }
  }
  return {}
}
