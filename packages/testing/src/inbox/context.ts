import type { CompleteInbox, MaybePromise } from '@sallyport/webhooks'
import type { TestRunner } from '@sallyport/webhooks/testing'

/** Creates inboxes for the suite. */
export interface InboxFixture {
  /** Creates an empty inbox with a clock in milliseconds since the epoch. */
  create(now: () => number): MaybePromise<CompleteInbox>
  /**
   * Another inbox on the store of the given one, which was not closed, as after a crash or in another process; leave
   * it out for a store that ends with its process.
   */
  reopen?(inbox: CompleteInbox, now: () => number): MaybePromise<CompleteInbox>
}

/** The fixtures of one test: an empty inbox and its clock. */
interface InboxTest {
  readonly inbox: CompleteInbox
  readonly now: () => number
  readonly advance: (milliseconds: number) => void
  /** The suite closes the result after the test. */
  readonly reopen: () => Promise<CompleteInbox>
  readonly expect: TestRunner['expect']
}

export interface InboxContext {
  readonly test: (name: string, body: (context: InboxTest) => Promise<void>) => void
  /** A test for stores that outlive their process. */
  readonly durableTest: (name: string, body: (context: InboxTest) => Promise<void>) => void
  readonly describe: TestRunner['describe']
}

export function createInboxContext(
  { describe, it, expect }: TestRunner,
  fixture: InboxFixture,
): InboxContext {
  const test: InboxContext['test'] = (name, body) => {
    it(name, async () => {
      let time = Date.UTC(2026, 0)
      const now = () => time
      const opened: CompleteInbox[] = []
      const keep = async (opening: MaybePromise<CompleteInbox>) => {
        const inbox = await opening
        opened.push(inbox)
        return inbox
      }
      try {
        const inbox = await keep(fixture.create(now))
        await body({
          inbox,
          now,
          advance: (milliseconds) => {
            time += milliseconds
          },
          reopen: () => keep(fixture.reopen ? fixture.reopen(inbox, now) : inbox),
          expect,
        })
      } finally {
        for (const inbox of opened.reverse()) await inbox.close()
      }
    })
  }
  return { test, describe, durableTest: fixture.reopen ? test : () => undefined }
}
