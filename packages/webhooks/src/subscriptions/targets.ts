import { SallyportError } from '@sallyport/errors'
import type { DeclaredSubscription, NewSubscription, Subscriptions } from './options.ts'
import { invalid, readParameters } from './parameters.ts'
import { getProvider, type SubscriptionService } from './service.ts'
import type { SubscriptionRecord, SubscriptionStore } from './store.ts'
import type { SubscriptionParts } from './visitor.ts'

interface TargetParts extends Pick<SubscriptionParts, 'store' | 'findAddress'> {
  readonly services: ReadonlyMap<string, SubscriptionService>
  readonly newId: () => string
  /** Changes subscriptions, and wakes the loop. */
  readonly change: (...given: Parameters<SubscriptionStore['change']>) => Promise<boolean>
  readonly wake: () => void
}

/** Creates the functions that add and declare subscriptions. */
export function createTargets({
  store,
  findAddress,
  services,
  newId,
  change,
  wake,
}: TargetParts): Pick<Subscriptions, 'add' | 'declare'> {
  /** @throws SallyportError `VALIDATION_ERROR` (400) */
  async function check({ service: name, endpoint, parameters }: NewSubscription): Promise<void> {
    const service = services.get(name)
    if (service === undefined) throw invalid('service', `Must be one of ${[...services.keys()].join(', ')}`)
    const provider = getProvider(service)
    const address = await findAddress(provider, endpoint)
    if (!address.isKnown) throw invalid('endpoint', `Must be an endpoint of ${provider}`)
    if (service.secret === 'created' && address.storeSecret === undefined)
      throw invalid('endpoint', `Must be an endpoint of the database: ${name} creates the secret`)
    readParameters(service, parameters)
  }

  async function insert({ id = newId(), ...target }: NewSubscription, isDeclared: boolean) {
    if (!/^[\w.-]{1,128}$/.test(id)) throw invalid('id', 'Must have 1 to 128 letters, digits, and _ . -')
    const isInserted = await store.insert({ ...target, id, isDeclared })
    wake()
    return isInserted ? await store.get(id) : undefined
  }

  async function declareOne(one: DeclaredSubscription): Promise<void> {
    const { id, service, endpoint, parameters, credential } = one
    await check(one)
    const stored = await store.get(id)
    if (stored === undefined) await insert(one, true)
    else if (stored.service !== service || stored.endpoint !== endpoint)
      throw invalid('id', `${id} was the subscription of another address: choose another id`)
    else if (stored.isRemoving || !equals(stored, one))
      await change({ id }, { isRemoving: false, target: { parameters, credential } })
  }

  return {
    async add(subscription) {
      await check(subscription)
      const added = await insert(subscription, false)
      if (added === undefined) throw new SallyportError('CONFLICT', 'The id of the subscription is in use')
      return added
    },

    async declare(subscriptions) {
      const results: PromiseSettledResult<void>[] = []
      for (const one of subscriptions) results.push(...(await Promise.allSettled([declareOne(one)])))
      const given = new Set(subscriptions.map(({ id }) => id))
      const declared = await store.list({ isDeclared: true, limit: 10_000 })
      for (const { id, isRemoving } of declared)
        if (!given.has(id) && !isRemoving) await change({ id }, { isRemoving: true })
      const failed = results.find((one) => one.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

const equals = (stored: SubscriptionRecord, { parameters, credential }: NewSubscription): boolean =>
  JSON.stringify([stored.parameters, stored.credential]) === JSON.stringify([parameters, credential])
