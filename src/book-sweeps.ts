import { bookTaxes } from '#features/buying/sales-invoice/jobs.ts'
import { TAX_SWEEP } from '#features/buying/sales-invoice/rules.ts'
import { closeDays } from '#features/office/books/commands.ts'
import { makeExports } from '#features/office/export/commands.ts'
import { EXPORT_SWEEP } from '#features/office/export/rules.ts'
import { addUpFigures } from '#features/office/figure/commands.ts'
import { FIGURE_SWEEP } from '#features/office/figure/rules.ts'
import { addUpTallies } from '#features/office/report/commands.ts'
import { mailReports } from '#features/office/report/jobs.ts'
import { REPORT_MAIL_SWEEP, TALLY_SWEEP } from '#features/office/report/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Sweep } from '#platform/sweep-runner.ts'

/** Taxes and invoices, the days of the books, figures, reports by mail, and files of them. */
export function sweepsOfBooks(
  ctx: Ctx,
  { timeZone, consoleOrigin }: { readonly timeZone: string; readonly consoleOrigin: string },
): Sweep[] {
  return [
    {
      name: FIGURE_SWEEP,
      due: { everySeconds: 60 },
      run: (signal) => addUpFigures(ctx, timeZone, signal),
    },
    {
      name: TALLY_SWEEP,
      due: { everySeconds: 60 },
      run: (signal) => addUpTallies(ctx, timeZone, signal),
    },
    {
      name: REPORT_MAIL_SWEEP,
      due: { everySeconds: 60 },
      run: (signal) => mailReports(ctx, { timeZone, consoleOrigin }, signal),
    },
    {
      name: EXPORT_SWEEP,
      due: { everySeconds: 10 },
      run: (signal) => makeExports(ctx, timeZone, signal),
    },
    {
      name: TAX_SWEEP,
      due: { everySeconds: 5 },
      run: async (signal) => void (await bookTaxes(ctx, timeZone, signal)),
    },
    {
      name: 'close_days',
      due: { everySeconds: 3_600 },
      run: (signal) => closeDays(ctx, timeZone, signal),
    },
  ]
}
