interface Callback {
  readonly message_uuid?: string
  readonly recording_uuid?: string
  readonly request_id?: string
  readonly uuid?: string
  readonly conversation_uuid_to?: string
  readonly status?: string
  readonly type?: string
  readonly dtmf?: unknown
  readonly speech?: unknown
}

/** Returns the product and the state of a callback. Undefined for another form. */
export function readVonageKind(event: unknown): string | undefined {
  const callback = Object(event) as Callback
  const { message_uuid, recording_uuid, request_id, uuid, conversation_uuid_to, status, type } = callback
  if (message_uuid !== undefined) return `message.${status ?? 'received'}`
  if (recording_uuid !== undefined) return 'recording'
  if (request_id !== undefined && type !== undefined) return `verify.${type}`
  if (conversation_uuid_to !== undefined) return 'call.transfer'
  if (callback.dtmf !== undefined || callback.speech !== undefined) return 'call.input'
  return uuid === undefined ? type : `call.${status ?? 'received'}`
}

/** Returns the id of the entity. */
export function readVonageSubject(event: unknown): string | undefined {
  const { message_uuid, recording_uuid, request_id, uuid } = Object(event) as Callback
  return message_uuid ?? recording_uuid ?? request_id ?? uuid
}
