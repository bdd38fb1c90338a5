import type { Work } from '@sallyport/webhooks'

/** A kind of work that processes wake each other for. */
export type Topic = Work | 'queue'

export const topics: readonly Topic[] = ['publish', 'notify', 'queue']
