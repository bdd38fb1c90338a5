// Generated from the folders by `npm run generate -w packages/providers`.

/**
 * Sample deliveries of every provider of this package, loaded on demand.
 *
 * @module
 */
import type { ProviderSamples } from './provider-samples.ts'

export type { ProviderSamples, SampleOptions } from './provider-samples.ts'

/** The loaders of samples by provider name. */
export const builtInSamples: ReadonlyMap<string, () => Promise<ProviderSamples>> = new Map([
  ['codehost', () => import('./codehost/samples.ts')],
  ['deploy', () => import('./deploy/samples.ts')],
  ['front', () => import('./front/samples.ts')],
  ['front-application', () => import('./front-application/samples.ts')],
  ['github', () => import('./github/samples.ts')],
  ['messaging', () => import('./messaging/samples.ts')],
  ['payments', () => import('./payments/samples.ts')],
  ['stripe', () => import('./stripe/samples.ts')],
  ['tasks', () => import('./tasks/samples.ts')],
  ['todoist', () => import('./todoist/samples.ts')],
  ['typeform', () => import('./typeform/samples.ts')],
  ['vercel', () => import('./vercel/samples.ts')],
])
