import type { ServiceFacts } from '@sallyport/webhooks'

/** The month in which the facts were last compared with their sources. */
export const formatChecked = ({ checked }: ServiceFacts): string => checked ?? 'not yet'

/** Renders the section with the sources of the facts; empty without sources. */
export function describeSources({ sources = [], identity, checked }: ServiceFacts): string {
  if (sources.length === 0) return ''
  const lines = sources.map((source) => `- <${source}>${source === identity ? ': the id of an event' : ''}\n`)
  const other =
    identity !== undefined && !sources.includes(identity) ? `- <${identity}>: the id of an event\n` : ''
  const compared = checked === undefined ? '' : ` The facts were compared with them in ${checked}.`
  return `## Sources\n\nThe declaration follows these pages.${compared}\n\n${lines.join('')}${other}`
}
