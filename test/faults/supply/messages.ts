/** What a worker and whoever runs it tell each other. */

/** A unit of the queue, as a worker has taken it. */
export interface Taken {
  readonly unitId: string
  readonly orderId: string
}

/** An answer as the transport gives it. */
export type Heard =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'broken'; readonly why: string }

export type ToWorker =
  /** Do everything that is due; the time is ahead of the machine's by so much. */
  | { readonly kind: 'turn'; readonly aheadMs: number }
  /** Buy what another worker has just taken. */
  | { readonly kind: 'race'; readonly supplier: string; readonly unit: Taken }
  | { readonly kind: 'heard'; readonly id: number; readonly heard: Heard }

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'took'; readonly supplier: string; readonly unit: Taken }
  /** It calls a supplier; of one behind a socket, only that it does. */
  | {
      readonly kind: 'call'
      readonly id: number
      readonly supplier: string
      readonly body: string
    }
  /** A supplier behind a socket has answered. */
  | { readonly kind: 'called' }
  /** A turn or a race is over. */
  | { readonly kind: 'over' }
  | { readonly kind: 'fault'; readonly text: string }

/** What a worker is started with. */
export interface WorkerSettings {
  readonly databaseUrl: string
  readonly suppliers: readonly string[]
  /** What is bought is cards, which are kept. */
  readonly isOfCards: boolean
  /** Of the sandbox; null where whoever runs the worker answers. */
  readonly socket: { readonly origin: string; readonly secret: string } | null
}
