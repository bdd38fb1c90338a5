import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { requireAgreement } from '../../frame/agree.ts'
import { openStage, type Stage } from '../stage.ts'
import { bundle, type Bundle } from './bundle.ts'
import { createDeliveries, forge, type ColdDelivery } from './deliveries.ts'
import { prepareLambda } from './lambda.ts'
import type { Start } from './start.ts'
import { prepareWorker } from './worker.ts'

/** The receivers of a host: without a library, and with each library. */
export const receivers = ['empty', 'sallyport', 'tern', 'octokit'] as const

export type ReceiverName = (typeof receivers)[number]

/** A bundle, and a function that starts it in a new process. */
interface Receiver extends Pick<Bundle, 'sizes'> {
  readonly start: (deliveries: readonly ColdDelivery[]) => Promise<Start>
}

export interface ColdStage extends Stage {
  readonly receivers: Readonly<Record<ReceiverName, Receiver>>
  /** The delivery of the measurement. */
  readonly delivery: ColdDelivery
}

const hosts = { worker: prepareWorker, lambda: prepareLambda }

export type Host = keyof typeof hosts

/** Bundles the receivers of a host. @throws Error if a library accepts a forged delivery or refuses a signed one */
export async function openColdStage(host: Host): Promise<ColdStage> {
  const stage = await openStage()
  const prepareReceiver = async (name: ReceiverName): Promise<Receiver> => {
    const { code, sizes } = await bundle(`${name}-${host}`, host)
    const directory = await mkdtemp(join(stage.directory, `${name}-`))
    return { sizes, start: await hosts[host](code, directory) }
  }
  try {
    const opened = {
      empty: await prepareReceiver('empty'),
      sallyport: await prepareReceiver('sallyport'),
      tern: await prepareReceiver('tern'),
      octokit: await prepareReceiver('octokit'),
    }
    return { ...stage, receivers: opened, delivery: await check(opened) }
  } catch (error) {
    await stage.close()
    throw error
  }
}

/** Returns a delivery that all libraries accept. */
async function check({ sallyport, tern, octokit }: ColdStage['receivers']): Promise<ColdDelivery> {
  const [github, stripe] = await createDeliveries()
  const deliveries = [github, forge(github), stripe, forge(stripe)]
  const results = [{ side: 'the signatures', result: [true, false, true, false] }]
  for (const [side, { start }] of Object.entries({ sallyport, tern, octokit })) {
    const { statuses } = await start(deliveries)
    results.push({ side, result: statuses.map((status) => status < 300) })
  }
  requireAgreement(results)
  return github
}
