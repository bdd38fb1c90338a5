// Stands in for the runtime of AWS Lambda: imports the handler, passes the events to it, and prints the times.
import type { LambdaEventV2 } from '../../../../webhooks/src/lambda/event.ts'
import { createRequire } from 'node:module'
import type { Start } from './start.ts'

type Handler = (event: LambdaEventV2) => Promise<{ readonly statusCode: number }>

const [, program = '', file = '', events = ''] = process.argv

async function main(): Promise<Start> {
  const importsAt = performance.now()
  const { handler } = createRequire(program)(file) as { handler: Handler }
  const readyMs = performance.now() - importsAt
  const [first, ...others] = JSON.parse(events) as [LambdaEventV2, ...LambdaEventV2[]]
  const { statusCode } = await handler(first)
  const answeredMs = performance.now()
  const statuses = [statusCode]
  for (const event of others) statuses.push((await handler(event)).statusCode)
  return { readyMs, answeredMs, statuses }
}

void main().then((start) => process.stdout.write(JSON.stringify(start)))
