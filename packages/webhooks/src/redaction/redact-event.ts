import { sha256Hex } from '../crypto/crypto.ts'
import { utf8 } from '../crypto/encoding.ts'
import { getExact, rememberExact } from '../parsers/large-integers.ts'
import { keepDifference } from '../parsers/parse-json.ts'
import type { WebhookEvent } from '../ports/event.ts'
import { formatKey, getKeyScope } from '../provider/idempotency-key.ts'
import type { ValueRedactor } from './redact-value.ts'

/** Copies a payload with what its parser knows of it. */
export function redactPayload(payload: unknown, values: ValueRedactor): unknown {
  const copy = keepDifference(payload, values.redact(payload))
  const exact = getExact(payload)
  return exact === payload ? copy : rememberExact(copy, keepDifference(exact, values.redact(exact)))
}

/** Replaces the ids and the subject of an event that contain a removed value by their hashes. */
export async function redactEvent(event: WebhookEvent, values: ValueRedactor): Promise<WebhookEvent> {
  const { id, subject, source } = event
  const { provider, endpoint, replayOf } = source
  const redactId = (text: string) => redactKey(text, getKeyScope(provider, endpoint), values)
  return {
    ...event,
    id: await redactId(id),
    ...(values.contains(subject) && { subject: (await hash(subject)).join(':') }),
    ...(replayOf !== undefined && { source: { ...source, replayOf: await redactId(replayOf) } }),
  }
}

async function redactKey(id: string, scope: string, values: ValueRedactor): Promise<string> {
  const [kind = '', ...parts] = id.slice(scope.length + 1).split(':')
  const isRemoved = parts.some((part) => values.contains(decodePart(part)))
  return isRemoved ? formatKey(scope, kind, await hash(id)) : id
}

const hash = async (text: string) => ['sha256', await sha256Hex(utf8(text))] as const

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
