interface Payload {
  readonly 'event-data'?: { readonly event?: string; readonly severity?: string }
  readonly signature?: { readonly token?: string }
  readonly event?: string
  readonly sender?: string
  readonly token?: string
}

/** Returns the name of an event with its severity, or `inbound` for an incoming message of a route. */
export function readMailgunKind(payload: unknown): string | undefined {
  const { 'event-data': data, event, sender } = Object(payload) as Payload
  if (data?.event !== undefined) return [data.event, data.severity ?? []].flat().join('.')
  // The webhooks before 2018 are forms with the name of the event.
  return event ?? (sender === undefined ? undefined : 'inbound')
}

/** Returns the signed token: of the JSON of a webhook, or of a form. */
export function readMailgunToken(payload: unknown): string | undefined {
  const { signature, token } = Object(payload) as Payload
  return signature?.token ?? token
}
