"""Slurm with one node and two slots, run by an ordinary user without systemd or munge.

    with Cluster(folder) as cluster: ...    sets SLURM_CONF; ends the daemons that it started
"""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import time

CONF = """ClusterName=chitest
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/none
CredType=cred/none
CryptoType=crypto/none
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=5
MinJobAge=60
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.host = socket.gethostname().split(".")[0]

    def daemon(self, name, *words):
        path = shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/usr/local/sbin")
        subprocess.run([path, *words], check=True, env={**os.environ, "SLURM_CONF": str(self.conf)})

    def start_node(self):
        self.daemon("slurmd", "-N", self.host)

    def __enter__(self):
        user = pwd.getpwuid(os.getuid()).pw_name
        for part in ("state", "spool"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        self.conf = self.folder / "slurm.conf"
        self.conf.write_text(CONF.format(folder=self.folder, host=self.host, user=user,
                                         ports=free_ports(2), cpus=min(os.cpu_count(), 2)))
        os.environ["SLURM_CONF"] = str(self.conf)
        self.daemon("slurmctld", "-c")
        self.start_node()
        for _ in range(300):
            if "idle" in subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True).stdout:
                return self
            time.sleep(0.1)
        raise SystemExit("the node does not become idle: " + (self.folder / "slurmctld.log").read_text()[-2000:])

    def stop(self, name, number=signal.SIGTERM):
        """Ends a daemon that this object started, by its pid file."""
        file = self.folder / f"{name}.pid"
        try:
            pid = int(file.read_text())
            os.kill(pid, number)
        except (OSError, ValueError):
            return
        for _ in range(100):
            if not pathlib.Path(f"/proc/{pid}").exists():
                return
            time.sleep(0.1)

    def __exit__(self, *_):
        subprocess.run(["scancel", "--user", str(os.getuid())], capture_output=True)
        time.sleep(0.5)
        self.stop("slurmd")
        self.stop("slurmctld")
