/**
 * Sources of reconciliation: what services believe they could not deliver, for `reconcile` of `createWebhooks`.
 *
 * @module
 */
export { reconcileGithub, type GithubHook } from './github.ts'
export { reconcileGitlab, type GitlabHook } from './gitlab.ts'
export { reconcilePaddle } from './paddle.ts'
export { reconcilePaypal } from './paypal.ts'
export { reconcilePolar } from './polar.ts'
export { reconcileStripe } from './stripe.ts'
export type { SourceOptions } from './service-api.ts'
