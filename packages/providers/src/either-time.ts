import { signedTime, type SignedStamp, type SignedTimeOptions } from '@sallyport/webhooks'

/** A signed time in seconds or in milliseconds, for a service that sends both. The magnitude decides. */
export function eitherTime(options: Omit<SignedTimeOptions, 'unit'> = {}): SignedStamp {
  const seconds = signedTime(options)
  const milliseconds = signedTime({ ...options, unit: 'ms' })
  return {
    ...seconds,
    read(delivery, presented, now) {
      const text = seconds.read(delivery, presented, now)
      return typeof text === 'string' ? text : milliseconds.read(delivery, presented, now)
    },
  }
}
