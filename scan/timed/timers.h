struct tune_scan_timer { int nest; double start; };
double tune_scan_now(void);
void tune_scan_end(struct tune_scan_timer *timer);
#define TUNE_SCAN(number) __attribute__((cleanup(tune_scan_end))) struct tune_scan_timer tune_scan_timer_##number = {number, tune_scan_now()};
