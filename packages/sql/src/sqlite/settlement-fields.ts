import type { Settlement } from '@sallyport/webhooks'

type Outcome = Settlement['outcome']

/** Settlements as one list of plain values, five each: a clone of many small objects takes several times as long. */
export type SettlementFields = readonly (string | number)[]

export function toSettlementFields(settlements: readonly Settlement[]): SettlementFields {
  const fields: (string | number)[] = []
  for (const { id, lease, outcome } of settlements) {
    fields.push(id, lease, outcome.status, delayOf(outcome), 'error' in outcome ? outcome.error : '')
  }
  return fields
}

export function settlementsOf(fields: SettlementFields): Settlement[] {
  const settlements: Settlement[] = []
  for (let index = 0; index < fields.length; index += 5) {
    const [id, lease, status, delayMs, error] = fields.slice(index, index + 5) as Fields
    settlements.push({ id, lease, outcome: outcomeOf(status, delayMs, error) })
  }
  return settlements
}

type Fields = [id: string, lease: string, status: Outcome['status'], delayMs: number, error: string]

function delayOf(outcome: Outcome): number {
  if (outcome.status === 'retry') return outcome.afterMs
  return outcome.status === 'queued' ? outcome.redeliverAfterMs : 0
}

function outcomeOf(status: Outcome['status'], delayMs: number, error: string): Outcome {
  switch (status) {
    case 'retry':
      return { status, afterMs: delayMs, error }
    case 'queued':
      return { status, redeliverAfterMs: delayMs }
    case 'dead':
      return { status, error }
    case 'done':
    case 'released':
      return { status }
  }
}
