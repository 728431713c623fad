import type { MailPageTexts } from '../en/mail-pages.ts'

export const mailPages: MailPageTexts = {
  title: 'Correos',
  invalid: 'Este enlace ya no funciona',
  incomplete: 'Abra el enlace completo del correo.',
  moving: 'Todavía no ha funcionado',
  movingText: 'El programa se está trasladando a otro servidor. Vuelva a intentarlo dentro de una hora.',
  stop: {
    question: (what) => `¿Dejar de recibir ${what}?`,
    button: 'Dejar de recibirlos',
    done: (what) => `Ya no recibirá ${what}`,
    again: 'Puede volver a activarlos en el portal.',
    againForManagers: 'Puede volver a activarlos en el panel.',
    what: {
      commissions: 'correos sobre comisiones nuevas',
      payouts: 'correos sobre pagos',
      statements: 'resúmenes mensuales',
      terms: 'correos sobre nuevas condiciones',
      messages: 'mensajes del programa',
      daily: 'correos sobre tareas pendientes',
      failures: 'correos sobre webhooks y fuentes que fallan',
    },
  },
  reject: {
    question: '¿Rechazar los nuevos datos de pago?',
    text: 'Así se volverán a usar sus datos de pago anteriores, si tienen al menos siete días. Los pagos quedan de nuevo en espera.',
    button: 'Rechazarlos',
    done: 'Se vuelven a usar sus datos de pago anteriores',
    doneText: 'Avise al programa de que otra persona ha tenido acceso a su cuenta.',
    invalidText: 'Abra el enlace del correo más reciente o pida al programa que cambie sus datos de pago.',
  },
  preferences: {
    title: 'Sus correos',
    saved: 'Guardado.',
    save: 'Guardar',
    commissions: 'Comisiones nuevas',
    cadences: { at_once: 'al momento', daily: 'una vez al día', weekly: 'una vez a la semana', never: 'nunca' },
    payouts: 'Pagos enviados o fallidos',
    statements: 'Un resumen de cada mes',
    terms: 'Nuevas condiciones',
    messages: 'Mensajes del programa',
  },
}
