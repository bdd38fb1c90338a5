import type { SecretKeeper } from '../secrets/secret-keeper.ts'
import type { Gateway } from './gateway-contract.ts'
import { createPipeline, type PipelineOptions } from './pipeline.ts'
import { createPublishingRecorder, type WithoutInbox } from './recorder.ts'
import { createRegistry } from './registry.ts'

export interface ServerlessGatewayOptions
  extends PipelineOptions, Pick<WithoutInbox, 'publisher' | 'publishTimeoutMs'> {
  /** `staticSecrets()`, or a secret keeper. */
  readonly secrets: Pick<SecretKeeper, 'getSecrets'>
  /** Creates the id of a delivery. @default a random UUID */
  readonly newId?: () => string
}

/**
 * Creates a gateway for a host without storage, such as a worker. The gateway publishes each delivery before it answers.
 *
 * The answers are those of {@link createGateway} without an inbox. A bundle contains neither the inbox nor secret leases.
 *
 * @throws TypeError when two providers have the same name
 *
 * @example
 * ```ts
 * import { createServerlessGateway, staticSecrets } from '@sallyport/webhooks'
 * import type { AnyProvider, Publisher } from '@sallyport/webhooks'
 *
 * declare const codehost: AnyProvider
 * declare const publisher: Publisher
 * const gateway = createServerlessGateway({
 *   providers: [codehost],
 *   secrets: staticSecrets({ codehost: ['the secret of the webhook'] }),
 *   publisher,
 * })
 * ```
 */
export function createServerlessGateway(options: ServerlessGatewayOptions): Gateway {
  const { secrets, newId = () => crypto.randomUUID() } = options
  return createPipeline(options, {
    registry: createRegistry(options.providers),
    secrets,
    record: createPublishingRecorder(options),
    newId,
  })
}
