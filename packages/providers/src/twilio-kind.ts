type Fields = Readonly<Record<string, string | undefined>>

/** The names of callbacks by the field that has the state, the most specific one first. */
const states: readonly (readonly [prefix: string, field: string, belongs?: string])[] = [
  ['message', 'MessageStatus'],
  ['message', 'SmsStatus'],
  ['conference', 'StatusCallbackEvent', 'ConferenceSid'],
  ['video', 'StatusCallbackEvent', 'RoomSid'],
  ['recording', 'RecordingStatus'],
  ['transcription', 'TranscriptionEvent'],
  ['transcription', 'TranscriptionStatus'],
  ['stream', 'StreamEvent'],
  ['siprec', 'SiprecEvent'],
  ['conversation', 'EventType', 'ConversationSid'],
  ['dial', 'DialCallStatus'],
  ['call', 'CallStatus'],
  ['bundle', 'Status', 'BundleSid'],
  ['debugger', 'Level', 'PayloadType'],
  ['usage', 'UsageCategory', 'UsageTriggerSid'],
  ['proxy', 'interactionType', 'interactionSid'],
]

/** Returns the kind of a form of callbacks, or of an event in JSON. Undefined for another form. */
export function readTwilioKind(event: unknown): string | undefined {
  const fields = Object(event) as Fields
  if (fields['type'] !== undefined) return fields['type']
  if (isRecord(fields)) return 'record.finished'
  for (const [prefix, field, belongs = field] of states) {
    const state = fields[field]
    if (state !== undefined && fields[belongs] !== undefined) return `${prefix}.${state}`
  }
  // TaskRouter and other products name the entity in the event.
  return fields['EventType'] ?? (fields['AnsweredBy'] === undefined ? undefined : 'amd.detected')
}

/** Whether the verb `<Record>` ended. The keys that ended it are in no other callback of a recording. */
const isRecord = ({ RecordingUrl, Digits }: Fields): boolean =>
  RecordingUrl !== undefined && Digits !== undefined

/** The ids of entities, the most specific one first. */
const ids = [
  'MessageSid',
  'RecordingSid',
  'TranscriptionSid',
  'StreamSid',
  'ConferenceSid',
  'RoomSid',
  'CallSid',
  'ConversationSid',
  'ResourceSid',
  'BundleSid',
  'UsageTriggerSid',
  'interactionSid',
  'Sid',
  'id',
]

/** Returns the id of the entity. */
export function readTwilioSubject(event: unknown): string | undefined {
  const fields = Object(event) as Fields
  return ids.map((name) => fields[name]).find((id) => id !== undefined)
}

/** Returns the time of an event in JSON or of a form. */
export function readTwilioTime(event: unknown): string | undefined {
  const { time, Timestamp, DateFired, interactionDateUpdated } = Object(event) as Fields
  return time ?? Timestamp ?? DateFired ?? interactionDateUpdated
}
