/**
 * Loaded with --import into processes under test: FAULT_CLOCKS tells by how many milliseconds the clock of which script is ahead,
 * as `worker.ts:86400000,server.js:-86400000`.
 */
const script = process.argv[1] ?? ''
const shift = (process.env.FAULT_CLOCKS ?? '')
  .split(',')
  .map((entry) => entry.split(':'))
  .find(([name]) => name && script.endsWith(name))
const aheadMs = Number(shift?.[1] ?? 0)

if (aheadMs !== 0) {
  const Right = Date
  const now = () => Right.now() + aheadMs
  globalThis.Date = new Proxy(Right, {
    construct: (target, args: [], made) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, made) as Date,
    apply: () => new Right(now()).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  })
}
