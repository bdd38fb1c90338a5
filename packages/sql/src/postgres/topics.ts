import type { Work } from '@sallyport/webhooks'

/** What there is work of. */
export type Topic = Work | 'queue'

export const topics: readonly Topic[] = ['publish', 'notify', 'queue']
