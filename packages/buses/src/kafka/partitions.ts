import type { Message } from '@platformatic/kafka'

/** A partition that the group has assigned to this process. */
export interface Partition {
  /** The member of the group that has the partition. After the end of its session, the process is another member. */
  readonly memberId: string | null
  /** The lowest offset that the stream can have next. */
  next: bigint
  /** The offset of the last received message. */
  received: bigint
  /** The offsets of received messages that are not settled, in their order. */
  readonly unsettled: Set<bigint>
  /** The last committed offset. */
  committed: bigint
  leaderEpoch: number
  hasChanged: boolean
}

/** The partitions of a process. The messages of a partition that is replaced or missing are lost. */
export interface Partitions {
  /** Assigns partitions to a member, which keeps the state of those that it had before. */
  assign(memberId: string | null, partitions: readonly number[]): void
  /** Begins another stream, which repeats the messages since the committed offset. */
  beginStream(): void
  /** Takes a message of the stream; undefined if the member has received it before, or does not have the partition. */
  receive(message: Pick<Message, 'partition' | 'offset' | 'leaderEpoch'>): Partition | undefined
  has(partition: number, state: Partition): boolean
  /** Returns the partitions with settled messages that are not committed, and the offset to commit. */
  takeChanged(): readonly Changed[]
}

interface Changed {
  readonly partition: number
  readonly state: Partition
  /** The offset of the first message that is not settled. */
  readonly offset: bigint
}

const createPartition = (memberId: string | null): Partition => ({
  ...{ memberId, next: 0n, received: -1n, unsettled: new Set() },
  ...{ committed: 0n, leaderEpoch: 0, hasChanged: false },
})

export function createPartitions(): Partitions {
  let assigned = new Map<number, Partition>()

  return {
    assign(memberId, partitions) {
      const before = assigned
      assigned = new Map(
        partitions.map((partition) => {
          const state = before.get(partition)
          return [partition, state?.memberId === memberId ? state : createPartition(memberId)]
        }),
      )
    },
    beginStream() {
      for (const state of assigned.values()) state.next = state.committed
    },
    receive({ partition, offset, leaderEpoch }) {
      let state = assigned.get(partition)
      if (state === undefined) return undefined
      if (offset < state.next) {
        // The brokers lost a part of the partition: the stream starts again, and old offsets have new messages.
        state = createPartition(state.memberId)
        assigned.set(partition, state)
      }
      state.next = offset + 1n
      if (offset <= state.received) return undefined
      state.received = offset
      state.leaderEpoch = leaderEpoch
      state.unsettled.add(offset)
      return state
    },
    has: (partition, state) => assigned.get(partition) === state,
    takeChanged: () =>
      [...assigned].flatMap(([partition, state]) => {
        if (!state.hasChanged) return []
        state.hasChanged = false
        const [offset = state.received + 1n] = state.unsettled
        return [{ partition, state, offset }]
      }),
  }
}
