import type { EventStreamFormat } from './event-stream/event-stream-body.ts'
import type { ResponseDeclaration } from './route.ts'

/** Returns the format of a stream of events; undefined for another response. */
export function getStreamFormat({ events, lines }: ResponseDeclaration): EventStreamFormat | undefined {
  if (events !== undefined) return 'events'
  return lines === undefined ? undefined : 'lines'
}

/** Returns the media type of a response; undefined for JSON. */
export function getMediaType(response: ResponseDeclaration): string | undefined {
  const format = getStreamFormat(response)
  if (format === undefined) return response.mediaType
  return format === 'events' ? 'text/event-stream' : 'application/jsonl'
}
