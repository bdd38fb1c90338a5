type Fields = Readonly<Record<string, string | undefined>>

/** Returns the kind of a form: the product and the state. Undefined for a form of another product. */
export function readPlivoKind(event: unknown): string | undefined {
  const { MessageUUID, Status, Event, CallStatus } = Object(event) as Fields
  if (MessageUUID !== undefined) return `message.${Status ?? 'received'}`
  const state = Event ?? CallStatus
  return state === undefined ? undefined : `call.${state}`
}

/** Returns the id of the message or call. */
export function readPlivoSubject(event: unknown): string | undefined {
  const { MessageUUID, CallUUID } = Object(event) as Fields
  return MessageUUID ?? CallUUID
}
