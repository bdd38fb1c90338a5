import { getTrust } from '@sallyport/webhooks'
import type { ServiceEntry } from '../load.ts'

const isPage = (address: string): boolean =>
  URL.canParse(address) && address.startsWith('https://') && new URL(address).hostname.includes('.')

/** Lists the mistakes in the facts of a service. */
export function* listFactMistakes({ facts, provider }: ServiceEntry, month: string): Generator<string> {
  const { docs, checked, sources, identity, retries, setup, title } = facts
  if (title.trim() === '') yield '`title` is empty: write the name of the service as its owner does'
  if (!isPage(docs)) yield '`docs` is not an https address: name the page of the service on webhooks'
  if (setup.length === 0)
    yield '`setup` is empty: say where the address is entered and where the secret is found'
  else if (!setup.some((step) => /secret|token|password|key|credential/i.test(step)))
    yield '`setup` does not say where the secret is found'
  if (sources.length === 0) yield '`sources` is empty: name the pages and files that you read'
  for (const source of [...sources, ...(identity === undefined ? [] : [identity])])
    if (!isPage(source)) yield `"${source}" is not an https address: name a page or a file that you read`
  if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(checked)) yield '`checked` is not a month such as `2026-11`'
  else if (checked > month) yield `\`checked\` is in the future: it is ${month}`
  if (provider.service.id !== undefined && identity === undefined)
    yield '`identity` is missing: name the page that documents the id as unique, or remove `id`'
  if (provider.service.id === undefined && identity !== undefined)
    yield '`identity` names a page, but the service has no `id`: remove `identity`'
  if (retries.trim() === '') yield '`retries` is empty: write `unknown` if the sources do not say'
  if (
    getTrust(provider) === 'partial' &&
    facts.covers === undefined &&
    provider.signature.covers === undefined
  )
    yield '`covers` is missing: say what the partial signature covers'
}
