// Generated from the folders by `npm run generate -w packages/providers`.

/**
 * Real deliveries of every provider of this package, loaded when they are asked for.
 *
 * @module
 */
import type { ProviderSamples } from './provider-samples.ts'

export type { ProviderSamples, SampleOptions } from './provider-samples.ts'

/** What loads the samples of a provider, by its name. */
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
