import type { LambdaEventV2 } from '../../../../webhooks/src/lambda/event.ts'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundle } from './bundle.ts'
import { environment, type ColdDelivery } from './deliveries.ts'
import type { Start } from './start.ts'

const createEvent = ({ path, headers, body }: ColdDelivery): LambdaEventV2 => ({
  rawPath: path,
  rawQueryString: '',
  headers,
  body,
  requestContext: { http: { method: 'POST', sourceIp: '198.51.100.7' }, stage: '$default' },
})

/** Writes the handler and the process that runs it. @returns a function that starts the process */
export async function prepareLambda(
  code: Uint8Array,
  directory: string,
): Promise<(deliveries: readonly ColdDelivery[]) => Promise<Start>> {
  const [program, file] = [join(directory, 'process.cjs'), join(directory, 'handler.cjs')]
  await writeFile(program, (await bundle('lambda-process', 'lambda')).code)
  await writeFile(file, code)
  return async (deliveries) => {
    const parameters = [program, file, JSON.stringify(deliveries.map(createEvent))]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { env: { ...environment } })
    return JSON.parse(stdout) as Start
  }
}
