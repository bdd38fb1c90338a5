import type { AttemptResponse, Settlement } from '@sallyport/webhooks'

/** Returns what a destination answered as JSON, which holds any text. */
export const toResponseJson = (outcome: Settlement['outcome']): string | null =>
  'response' in outcome ? JSON.stringify(outcome.response) : null

/** Reads what `toResponseJson` wrote, with the stored form of the body. An unreadable answer is left out. */
export function readResponseJson(json: string | null): { readonly response?: AttemptResponse } {
  if (json === null) return {}
  try {
    return { response: JSON.parse(json) as AttemptResponse }
  } catch {
    return {}
  }
}
