import type { ServiceFacts } from '@sallyport/webhooks'

/** Renders the section with the sources of the facts. */
export function describeSources({ sources, identity, checked }: ServiceFacts): string {
  const lines = sources.map((source) => `- <${source}>${source === identity ? ': the id of an event' : ''}\n`)
  const other =
    identity !== undefined && !sources.includes(identity) ? `- <${identity}>: the id of an event\n` : ''
  return `## Sources\n\nThe facts were compared with these pages in ${checked}.\n\n${lines.join('')}${other}`
}
