import { expect } from 'vitest'
import { adminToken, sendWorkflowRun } from './server-process.ts'

/** The event of a delivery that a server has just accepted, and a token to look for it with. */
export async function acceptOne(
  base: string,
  secrets: Record<string, string>,
  payload: unknown,
): Promise<{ readonly id: string; readonly token: string }> {
  const { status, data } = await sendWorkflowRun(base, secrets['WEBHOOK_SECRET_CODEHOST']!, payload)
  expect([status, data.status]).toEqual([200, 'accepted'])
  return { id: data.events[0]!.id, token: await adminToken(base, secrets) }
}
