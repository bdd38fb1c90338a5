import { z } from 'zod'
import type { Engine } from './engine.ts'

/** The address of one of these engines; a problem does not quote it, as it may hold a password or a key. */
export function engineUrl(engines: Readonly<Record<string, Engine<unknown>>>) {
  const forms = [...new Set(Object.values(engines).map(({ form }) => form))]
  return z
    .string()
    .refine(
      (text) => {
        const url = URL.parse(text)
        return url !== null && engines[url.protocol]?.accepts(url) === true
      },
      `has to be an address such as ${forms.join(' or ')}`,
    )
    .meta({ form: `such as ${forms.map((form) => `\`${form}\``).join(', ')}` })
}

/** Where an engine is, without what may be secret in its address. */
export function placeOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
