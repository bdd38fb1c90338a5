import type { HmacOptions } from '@sallyport/webhooks'

const probe = '{"b": 1, "a": 2}'

/** Names the form of the body that a scheme signs, by the form of a known body. */
export function nameForm(forms: HmacOptions['forms']): string {
  const last = [...(forms?.(new TextEncoder().encode(probe)) ?? [])].at(-1)
  const text = last && new TextDecoder().decode(last)
  if (text === '{"b":1,"a":2}') return '{body:compact}'
  return text === '{"a":2,"b":1}' ? '{body:sorted}' : '{body}'
}
