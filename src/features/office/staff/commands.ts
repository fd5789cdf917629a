export {
  deleteRole,
  grantRole,
  grantWaitingRole,
  saveRole,
  writeWaitingRole,
} from './write/roles.ts'
export {
  askFactorReset,
  doDueResets,
  reportLostFactor,
  resetFromShell,
  resetWaitingFactor,
  stopFactorReset,
  stopReset,
  stopWaitingReset,
} from './write/reset.ts'
